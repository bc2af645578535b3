import type { InspectedRequest } from './api/requests.ts';

/** The query parameters of the request list. */
type RequestFilter = 'search' | 'status' | 'operation' | 'key';
export type RequestFilters = Readonly<Record<RequestFilter, string>>;

/** The filter value for requests without a response. */
export const NO_RESPONSE = 'none';

export const statusClasses = [
  ['2xx', 'Success'],
  ['3xx', 'Not modified'],
  ['4xx', 'Client error'],
  ['5xx', 'Server error'],
  [NO_RESPONSE, 'No response'],
] as const;

export function filtersOf(search: string): RequestFilters {
  const given = new URLSearchParams(search);
  return {
    search: given.get('search') ?? '',
    status: given.get('status') ?? '',
    operation: given.get('operation') ?? '',
    key: given.get('key') ?? '',
  };
}

/** The path with some filters changed. */
export function withFilters(filters: RequestFilters, changes: Partial<RequestFilters>): string {
  const set = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== '');
  return set.length === 0 ? '/requests' : `/requests?${new URLSearchParams(set)}`;
}

/** The operation with its API version from the path: both versions share operation names. For MCP, the tool or method. */
export function operationOf({ operation, path, requestBody }: InspectedRequest): string {
  if (/^\/mcp\b/.test(path)) return `mcp.${mcpCall(requestBody ?? '')}`;
  return operation === null ? 'none' : `${/^\/(v\d+)\//.exec(path)?.[1] ?? ''}.${operation}`;
}

/** The tool or method of an MCP message. Found as text, because only the beginning of a long message is stored. */
function mcpCall(message: string): string {
  const method = /"method"\s*:\s*"([^"]*)"/.exec(message)?.[1] ?? 'unknown';
  const tool = /"name"\s*:\s*"([^"]*)"/.exec(message)?.[1];
  return method === 'tools/call' && tool !== undefined ? tool : method;
}

/** Matches path, request ID, error, headers and bodies. Both sides are JSON, so that quotes are escaped alike. */
const contains = (request: InspectedRequest, text: string) =>
  JSON.stringify(Object.values(request))
    .toLowerCase()
    .includes(JSON.stringify(text.toLowerCase()).slice(1, -1));

/** Matches an exact status or a class such as `4xx`. */
const hasStatus = ({ status }: InspectedRequest, filter: string) =>
  filter.endsWith('xx') ? String(status)[0] === filter[0] : String(status ?? NO_RESPONSE) === filter;

export function filterRequests(
  requests: readonly InspectedRequest[],
  { search, status, operation, key }: RequestFilters,
): readonly InspectedRequest[] {
  return requests.filter(
    (request) =>
      (search === '' || contains(request, search)) &&
      (status === '' || hasStatus(request, status)) &&
      (operation === '' || operationOf(request) === operation) &&
      (key === '' || request.keyId === key),
  );
}
