import { DEFAULT_RATE_LIMIT } from '../../config/flags.ts';
import { type ErrorCode, errorBody } from '../errors.ts';
import { headerRef, json, requiredHeader, schemaRef, textHeader } from './openapi.ts';

export const commonHeaders = {
  RequestId: {
    required: true,
    description:
      'Identifies this request in the server log. Your own value is used if it matches this pattern and has up to 64 characters.',
    schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._:=-]+$' },
    example: '3f1c8d4e-5b0a-4a57-9a55-0a8f6c1f0b3d',
  },
  ETag: {
    required: true,
    description: 'Changes whenever the store changes.',
    schema: { type: 'string', maxLength: 64, pattern: '^W/"[0-9a-z]+-[0-9]+"$' },
    example: 'W/"2x9c-17"',
  },
  CacheControl: {
    required: true,
    description: 'Revalidate before using a cached response.',
    schema: { type: 'string', const: 'private, no-cache' },
    example: 'private, no-cache',
  },
  Authenticate: requiredHeader(
    'How to authenticate (RFC 6750).',
    100,
    'Bearer realm="petstore", error="invalid_token"',
  ),
  Allow: requiredHeader('The methods that this path supports.', 100, 'GET, HEAD'),
  RetryAfter: {
    required: true,
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 21,
  },
  RateLimit: textHeader(
    'Requests remaining in the current window. Only if a rate limit is set.',
    100,
    `"default";r=${DEFAULT_RATE_LIMIT - 20};t=21`,
  ),
  RateLimitPolicy: textHeader(
    'The rate limit and its window. Only if a rate limit is set.',
    100,
    `"default";q=${DEFAULT_RATE_LIMIT};w=60`,
  ),
};

/** No maxLength: the limit of all headers applies (431). */
export const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of an earlier response. If nothing has changed since, the response is 304 without a body.',
  schema: { type: 'string' },
  example: commonHeaders.ETag.example,
};

export const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' };

export const standardHeaders = {
  'X-Request-Id': headerRef('RequestId'),
  RateLimit: headerRef('RateLimit'),
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
};
export const cachingHeaders = {
  ...standardHeaders,
  ETag: headerRef('ETag'),
  'Cache-Control': headerRef('CacheControl'),
};
export const challengeHeader = { 'WWW-Authenticate': headerRef('Authenticate') };
const retryAfter = { 'Retry-After': headerRef('RetryAfter') };

export function notModifiedResponse(headers: object = {}) {
  return {
    description: 'Nothing has changed since the response with this `ETag`.',
    headers: { ...cachingHeaders, ...headers },
  };
}

export function jsonExamples<T extends string>(
  schema: object,
  names: readonly T[],
  exampleOf: (name: T) => unknown,
) {
  const examples = Object.fromEntries(names.map((name) => [name, { value: exampleOf(name) }]));
  return { content: { 'application/json': { schema, examples } } };
}

export function errorResponses(schemaName: string) {
  const errorResponse = (description: string, codes: readonly ErrorCode[], headers: object = {}) => ({
    description,
    headers: { ...standardHeaders, ...headers },
    ...jsonExamples(schemaRef(schemaName), codes, errorBody),
  });

  const commonResponses = {
    BadRequest: errorResponse('The request is not valid HTTP.', ['bad_request']),
    Unauthorized: errorResponse(
      'The API key is missing or invalid.',
      ['missing_api_key', 'invalid_api_key'],
      challengeHeader,
    ),
    Forbidden: errorResponse('The API key is read-only.', ['forbidden']),
    MethodNotAllowed: errorResponse(
      'Returned for any other method on this path. `Allow` lists the supported ones.',
      ['method_not_allowed'],
      { Allow: headerRef('Allow') },
    ),
    NotFound: errorResponse('The requested resource could not be found.', ['not_found']),
    RequestTimeout: errorResponse('The request did not arrive in time.', ['request_timeout']),
    UriTooLong: errorResponse('The request target is too long.', ['uri_too_long']),
    RateLimited: errorResponse(
      'The rate limit of the store is exceeded. Only if a rate limit is set.',
      ['rate_limited'],
      retryAfter,
    ),
    HeadersTooLarge: errorResponse('The request headers are too large.', ['headers_too_large']),
    InternalError: errorResponse('An unexpected server error.', ['internal_error']),
    Unavailable: errorResponse('The service is temporarily unavailable.', ['unavailable'], retryAfter),
  };

  return { errorResponse, commonResponses };
}

const references = (names: Readonly<Record<number, string>>) =>
  Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );

export const anyOperationResponses = references({
  400: 'BadRequest',
  401: 'Unauthorized',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  414: 'UriTooLong',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
});
export const forbidden = references({ 403: 'Forbidden' });
export const notFound = references({ 404: 'NotFound' });

export const { errorResponse, commonResponses } = errorResponses('ErrorBody');

export const response = (description: string, schema: string, example: unknown, headers: object = {}) => ({
  description,
  headers: { ...standardHeaders, ...headers },
  ...json(schemaRef(schema), example),
});

/** Responses of an operation that supports `If-None-Match`. */
export const cacheableResponses = (
  description: string,
  schema: string,
  example: unknown,
  headers?: object,
) => ({
  200: response(description, schema, example, { ...cachingHeaders, ...headers }),
  304: notModifiedResponse(),
});

const ONE_PAGE = 'A page of results.';

export const page = (schema: string, example: unknown, link: string) =>
  response(ONE_PAGE, schema, example, { Link: headerRef(link) });

export const cachedPage = (schema: string, example: unknown, link: string) =>
  cacheableResponses(ONE_PAGE, schema, example, { Link: headerRef(link) });

export const links = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/links/${name}` }]));

export const bodyResponses = {
  400: errorResponse('The body is not valid.', ['invalid_body']),
  413: errorResponse('The body is too large.', ['payload_too_large']),
  415: errorResponse('The body has an unsupported content type or is compressed.', [
    'unsupported_media_type',
  ]),
};
