import { type ErrorCode, errorBody, errorCodes } from '../errors.ts';

/** As much of OpenAPI 3.1 as our documents use. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: ReadonlyArray<{ url: string; description: string }>;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: object;
  readonly [extension: string]: unknown;
}

export type Method = 'get' | 'post' | 'patch' | 'delete';
export type PathItem = Readonly<Partial<Record<Method, Operation>>>;

export interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly requestBody?: { readonly required: boolean; readonly content: object };
  readonly responses: Readonly<Record<string, object>>;
  readonly [field: string]: unknown;
}

export const requestIdHeader = {
  'X-Request-Id': {
    description: 'Identifies this request in our log. Your own is kept if it is short and plain.',
    schema: { type: 'string', maxLength: 64 },
    example: '3f1c8d4e-5b0a-4a57-9a55-0a8f6c1f0b3d',
  },
};

export const cachingHeaders = {
  ...requestIdHeader,
  ETag: {
    description: 'Changes whenever the store does.',
    schema: { type: 'string' },
    example: 'W/"2x9c-17"',
  },
  'Cache-Control': {
    description: 'Keep, but ask before use.',
    schema: { type: 'string', const: 'private, no-cache' },
  },
};

export function notModifiedAnswer(headers: object = {}) {
  return {
    description: 'Nothing changed since the answer with this `ETag`.',
    headers: { ...cachingHeaders, ...headers },
  };
}

export const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer: if nothing changed since, the answer is 304 without a body.',
  schema: { type: 'string' },
  example: 'W/"2x9c-17"',
};

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key: `pst_live_` (production) or `pst_test_` (staging) and 38 letters and digits. A key opens one store of one deployment.',
  },
};

/** An answer that is an Error object, with an example for each code that it can carry. */
export function errorAnswer(description: string, codes: readonly ErrorCode[], headers: object = {}) {
  return {
    description,
    headers: { ...requestIdHeader, ...headers },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorBody(code) }])),
      },
    },
  };
}

export const errorSchema = {
  type: 'object',
  description: 'The body of every answer that is not a success.',
  required: ['code', 'message', 'status'],
  additionalProperties: false,
  properties: {
    code: {
      type: 'string',
      description: 'Machine-readable error code.',
      examples: Object.keys(errorCodes).slice(0, 3),
    },
    message: { type: 'string', description: 'Human-readable description of the error.' },
    status: { type: 'integer', description: 'The HTTP status code.', minimum: 400, maximum: 599 },
  },
};

/** Answers that any operation can give, whatever it does. */
export const commonAnswers = {
  BadRequest: errorAnswer('The request is not valid HTTP.', ['bad_request']),
  Unauthorized: errorAnswer('The API key is missing or invalid.', ['missing_api_key', 'invalid_api_key'], {
    'WWW-Authenticate': {
      description: 'How to authenticate (RFC 6750).',
      schema: { type: 'string' },
      example: 'Bearer realm="petstore", error="invalid_token"',
    },
  }),
  RequestTimeout: errorAnswer('The request did not arrive in time.', ['request_timeout']),
  UriTooLong: errorAnswer('The request target is too long.', ['uri_too_long']),
  RateLimited: errorAnswer(
    'The key has used up its requests of this minute. Only where the deployment limits them.',
    ['rate_limited'],
    {
      'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 21 },
      RateLimit: { description: 'What is left.', schema: { type: 'string' }, example: '"default";r=0;t=21' },
      'RateLimit-Policy': {
        description: 'The limit.',
        schema: { type: 'string' },
        example: '"default";q=600;w=60',
      },
    },
  ),
  HeadersTooLarge: errorAnswer('The request headers are too large.', ['headers_too_large']),
  InternalError: errorAnswer('An error on our side.', ['internal_error']),
  Unavailable: errorAnswer('The service cannot answer right now.', ['unavailable'], {
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 1 },
  }),
};

/** References to them, by status. */
export const anyOperationAnswers = {
  400: { $ref: '#/components/responses/BadRequest' },
  401: { $ref: '#/components/responses/Unauthorized' },
  408: { $ref: '#/components/responses/RequestTimeout' },
  414: { $ref: '#/components/responses/UriTooLong' },
  429: { $ref: '#/components/responses/RateLimited' },
  431: { $ref: '#/components/responses/HeadersTooLarge' },
  500: { $ref: '#/components/responses/InternalError' },
  503: { $ref: '#/components/responses/Unavailable' },
};
