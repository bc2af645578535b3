import { type ErrorCode, errorBody } from '../http/errors.ts';
import type { OpenApiDocument, Operation } from '../http/openapi/openapi.ts';
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
        .flatMap(([, item]) => Object.values(item) as Operation[])
        .map((operation) => [`${prefix.slice(1)}.${operation.operationId}`, errorsOf(document, operation)]),
    ),
  );
  const operationNames = [...operations.keys()];
  const isDocumented = (operation: string, status: number): boolean =>
    operation === '*'
      ? operationNames.some((name) => isDocumented(name, status))
      : (operations.get(operation)?.has(status) ?? false);
  return {
    operationNames,
    operationOf: ({ operation: { fullName = '' } }) => (operations.has(fullName) ? fullName : undefined),
    isDocumented,
    errorOf(operation, status) {
      const error = operations.get(operation)?.get(status) as ErrorCode;
      return { ...jsonAnswer(errorBody(error), status, headersOf[status]), error };
    },
  };
}

function errorsOf(document: OpenApiDocument, { responses }: Operation): ReadonlyMap<number, ErrorCode> {
  const { responses: shared } = document.components as { responses: Record<string, Response> };
  return new Map(
    Object.entries(responses as Readonly<Record<string, Response>>)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        const { content } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
        const codes = Object.keys(content?.['application/json']?.examples ?? {}) as ErrorCode[];
        // Somebody who rehearses a 401 has sent a key.
        return [Number(status), codes.find((code) => code === 'invalid_api_key') ?? (codes[0] as ErrorCode)];
      }),
  );
}

/** Headers that come with an error, beside those of every answer: names and values in turn. */
const headersOf: Partial<Record<number, readonly string[]>> = {
  401: ['www-authenticate', 'Bearer realm="petstore", error="invalid_token"'],
  429: ['retry-after', '1', 'ratelimit-policy', '"default";q=60;w=60', 'ratelimit', '"default";r=0;t=1'],
  503: ['retry-after', '1'],
};
