import { DEFAULT_RATE_LIMIT } from '../config/flags.ts';
import { type ErrorCode, errorBody } from '../http/errors.ts';
import type { DocumentedOperation, OpenApiDocument, PathItem } from '../http/openapi/openapi.ts';
import { type Answer, jsonAnswer } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, unknown>> }>>;
}

/** Every operation that faults can touch, such as `v1.cancelOrder`, and the errors it documents. */
export interface DocumentedErrors {
  readonly operationNames: readonly string[];
  /** The operation that a request asks for, by its full name; undefined for one that no fault touches. */
  operationOf(request: Request): string | undefined;
  /** Whether an operation, or for `*` any operation, documents an error of this status. */
  isDocumented(operation: string, status: number): boolean;
  /** The documented error of this status, as the operation would answer it. */
  errorOf(operation: string, status: number): Answer;
}

/** Reads them off the documents, which are given by the prefix of their base address. */
export function documentedErrors(documents: Readonly<Record<string, OpenApiDocument>>): DocumentedErrors {
  const operations = new Map(
    Object.entries(documents).flatMap(([prefix, document]) =>
      Object.entries(document.paths)
        .filter(([path]) => !path.startsWith('/sandbox/'))
        .flatMap(([, item]) =>
          Object.values(item).map((operation: DocumentedOperation) => ({
            operation,
            allow: methodsOf(item),
          })),
        )
        .map(({ operation, allow }) => [
          `${prefix.slice(1)}.${operation.operationId}`,
          { errors: errorsOf(document, operation), allow },
        ]),
    ),
  );
  const operationNames = [...operations.keys()];
  const isDocumented = (operation: string, status: number): boolean =>
    operation === '*'
      ? operationNames.some((name) => isDocumented(name, status))
      : (operations.get(operation)?.errors.has(status) ?? false);
  return {
    operationNames,
    operationOf: ({ operation: { fullName = '' } }) => (operations.has(fullName) ? fullName : undefined),
    isDocumented,
    errorOf(operation, status) {
      const { errors, allow = '' } = operations.get(operation) ?? {};
      const error = errors?.get(status) as ErrorCode;
      const headers = status === 405 ? ['allow', allow] : headersOf[status];
      return { ...jsonAnswer(errorBody(error), status, headers), error };
    },
  };
}

function errorsOf(
  document: OpenApiDocument,
  { responses }: DocumentedOperation,
): ReadonlyMap<number, ErrorCode> {
  const { responses: shared } = document.components as { responses: Record<string, Response> };
  return new Map(
    Object.entries(responses as Readonly<Record<string, Response>>)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        const { content } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
        const codes = Object.keys(content?.['application/json']?.examples ?? {}) as ErrorCode[];
        // Somebody who asks for a 401 has sent a key.
        return [Number(status), codes.find((code) => code === 'invalid_api_key') ?? (codes[0] as ErrorCode)];
      }),
  );
}

/** What a path says that it has. */
function methodsOf(item: PathItem): string {
  const all = Object.keys(item).map((method) => method.toUpperCase());
  return all.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

/** Headers that come with an error, beside those of every answer: names and values in turn. */
const headersOf: Partial<Record<number, readonly string[]>> = {
  401: ['www-authenticate', 'Bearer realm="petstore", error="invalid_token"'],
  429: [
    'retry-after',
    '1',
    'ratelimit-policy',
    `"default";q=${DEFAULT_RATE_LIMIT};w=60`,
    'ratelimit',
    '"default";r=0;t=1',
  ],
  503: ['retry-after', '1'],
};
