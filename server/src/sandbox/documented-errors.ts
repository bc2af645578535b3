import { DEFAULT_RATE_LIMIT } from '../config/flags.ts';
import { ApiError, type ErrorCode } from '../http/errors.ts';
import { challenge } from '../http/guards/caller.ts';
import type { DocumentedOperation, OpenApiDocument } from '../http/openapi/openapi.ts';
import type { Fault } from './fault-kinds.ts';

export type DocumentedErrors = ReturnType<typeof documentedErrors>;

/** Collects the errors that each operation documents. The keys of `documents` are path prefixes. */
export function documentedErrors(documents: Readonly<Record<string, OpenApiDocument>>) {
  const operations = new Map<string, { errors: ReadonlyMap<number, ErrorCode>; allow: string }>();
  for (const [prefix, document] of Object.entries(documents))
    for (const [path, item] of Object.entries(document.paths)) {
      if (path.startsWith('/sandbox/')) continue;
      const methods = Object.keys(item).map((method) => method.toUpperCase());
      const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
      for (const operation of Object.values(item)) {
        const name = `${prefix.slice(1)}.${operation.operationId}`;
        operations.set(name, { errors: codesByStatus(document, operation), allow });
      }
    }
  return {
    /** Operations that faults can affect, such as `v1.cancelOrder`. */
    operationNames: new Set(operations.keys()) as ReadonlySet<string>,
    /** Whether the operation (any operation for `*`) documents an error of this status. True without a status. */
    isDocumented(name: string, status: number | undefined): boolean {
      const candidates = name === '*' ? [...operations.values()] : [operations.get(name)];
      return status === undefined || candidates.some((operation) => operation?.errors.has(status));
    },
    toError(operation: string, fault: Fault, now: number): ApiError {
      const { errors, allow = '' } = operations.get(operation) ?? {};
      const code = errors?.get(fault.code as number) as ErrorCode;
      return new ApiError(code, undefined, errorHeaders(fault, allow, now));
    },
  };
}

interface Response {
  readonly $ref?: string;
  readonly content?: { 'application/json': { readonly examples: Readonly<Record<ErrorCode, unknown>> } };
}

function codesByStatus({ components }: OpenApiDocument, { responses }: DocumentedOperation) {
  const { responses: shared } = components as { responses: Record<string, Response> };
  const errors = Object.entries<Response>(responses).filter(([status]) => Number(status) >= 400);
  return new Map(
    errors.map(([status, response]) => {
      const { content } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
      const codes = Object.keys(content?.['application/json'].examples ?? {}) as ErrorCode[];
      // The request has sent a key: the error cannot be `missing_api_key`.
      const code = codes.includes('invalid_api_key') ? 'invalid_api_key' : codes[0];
      return [Number(status), code as ErrorCode];
    }),
  );
}

function errorHeaders({ code, retryAfter, retryAfterForm }: Fault, allow: string, now: number): string[] {
  const seconds = retryAfter ?? 1;
  const headers: string[] = [];
  if (code === 429 || code === 503 || retryAfter !== undefined || retryAfterForm !== undefined) {
    const date = new Date((Math.ceil(now / 1000) + seconds) * 1000).toUTCString();
    headers.push('retry-after', retryAfterForm === 'date' ? date : String(seconds));
  }
  if (code === 401) headers.push(...challenge('invalid_api_key').headers);
  if (code === 405) headers.push('allow', allow);
  if (code === 429) {
    headers.push('ratelimit-policy', `"default";q=${DEFAULT_RATE_LIMIT};w=60`);
    headers.push('ratelimit', `"default";r=0;t=${seconds}`);
  }
  return headers;
}
