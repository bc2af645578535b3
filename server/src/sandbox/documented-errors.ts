import { DEFAULT_RATE_LIMIT } from '../config/flags.ts';
import { type ErrorCode, errorBody } from '../http/errors.ts';
import type { DocumentedOperation, OpenApiDocument, PathItem } from '../http/openapi/openapi.ts';
import { type Answer, jsonAnswer } from '../http/server/answer.ts';
import type { Fault } from './fault-kinds.ts';

/** Every operation that faults can touch, such as `v1.cancelOrder`, and the errors it documents. */
export interface DocumentedErrors {
  readonly operationNames: readonly string[];
  /** Whether an operation, or for `*` any operation, documents an error of this status, if there is one. */
  isDocumented(operation: string, status: number | undefined): boolean;
  errorOf(operation: string, fault: Fault, now: number): Answer;
}

type Errors = ReadonlyMap<number, ErrorCode>;

/** Reads them off the documents, which are given by the prefix of their base address. */
export function documentedErrors(documents: Readonly<Record<string, OpenApiDocument>>): DocumentedErrors {
  const operations = new Map<string, { errors: Errors; allow: string }>();
  for (const [prefix, document] of Object.entries(documents))
    for (const [path, item] of Object.entries(document.paths)) {
      if (path.startsWith('/sandbox/')) continue;
      for (const operation of Object.values(item)) {
        const name = `${prefix.slice(1)}.${operation.operationId}`;
        operations.set(name, { errors: errorsOf(document, operation), allow: methodsOf(item) });
      }
    }
  return {
    operationNames: [...operations.keys()],
    isDocumented(name, status) {
      const asked = name === '*' ? [...operations.values()] : [operations.get(name)];
      return status === undefined || asked.some((operation) => operation?.errors.has(status));
    },
    errorOf(operation, fault, now) {
      const { errors, allow = '' } = operations.get(operation) ?? {};
      const status = fault.code as number;
      const error = errors?.get(status) as ErrorCode;
      return { ...jsonAnswer(errorBody(error), status, headersOf(fault, allow, now)), error };
    },
  };
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, unknown>> }>>;
}

function errorsOf({ components }: OpenApiDocument, { responses }: DocumentedOperation): Errors {
  const { responses: shared } = components as { responses: Record<string, Response> };
  const errors = new Map<number, ErrorCode>();
  for (const [status, response] of Object.entries(responses as Readonly<Record<string, Response>>)) {
    if (Number(status) < 400) continue;
    const { content } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
    const codes = Object.keys(content?.['application/json']?.examples ?? {}) as ErrorCode[];
    // Somebody who asks for a 401 has sent a key.
    const code = codes.find((code) => code === 'invalid_api_key') ?? codes[0];
    errors.set(Number(status), code as ErrorCode);
  }
  return errors;
}

function methodsOf(item: PathItem): string {
  const all = Object.keys(item).map((method) => method.toUpperCase());
  return all.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

/** Headers that come with an error, beside those of every answer: names and values in turn. */
function headersOf({ code, retryAfter, retryAfterForm }: Fault, allow: string, now: number): string[] {
  const seconds = retryAfter ?? 1;
  const date = new Date((Math.ceil(now / 1000) + seconds) * 1000).toUTCString();
  const again = ['retry-after', retryAfterForm === 'date' ? date : String(seconds)];
  const policy = `"default";q=${DEFAULT_RATE_LIMIT};w=60`;
  if (code === 429) return [...again, 'ratelimit-policy', policy, 'ratelimit', `"default";r=0;t=${seconds}`];
  const headers = code === 503 || retryAfter !== undefined || retryAfterForm !== undefined ? again : [];
  if (code === 401) return [...headers, 'www-authenticate', 'Bearer realm="petstore", error="invalid_token"'];
  return code === 405 ? [...headers, 'allow', allow] : headers;
}
