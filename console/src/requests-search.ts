import type { InspectedRequest } from './api/requests.ts';

/** The query parameters of the request list. */
type RequestFilter = 'status' | 'operation' | 'key';
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

/** The operation with its API version from the path: both versions share operation names. */
export function operationOf({ operation, path }: InspectedRequest): string {
  return operation === null ? 'none' : `${/^\/(v\d+)\//.exec(path)?.[1] ?? ''}.${operation}`;
}

/** Matches an exact status or a class such as `4xx`. */
const hasStatus = ({ status }: InspectedRequest, wanted: string) =>
  wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status ?? NO_RESPONSE) === wanted;

export function matching(
  requests: readonly InspectedRequest[],
  { status, operation, key }: RequestFilters,
): readonly InspectedRequest[] {
  return requests.filter(
    (request) =>
      (status === '' || hasStatus(request, status)) &&
      (operation === '' || operationOf(request) === operation) &&
      (key === '' || request.keyId === key),
  );
}
