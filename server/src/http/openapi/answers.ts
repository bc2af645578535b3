import { type ErrorCode, errorBody } from '../errors.ts';
import { caching, challengeHeader, everyAnswer, retryAfter } from './headers.ts';
import { schemaRef } from './openapi.ts';

export function notModifiedAnswer(headers: object = {}) {
  return {
    description: 'Nothing changed since the answer with this `ETag`.',
    headers: { ...caching, ...headers },
  };
}

export function errorAnswers(schemaName: string) {
  const errorAnswer = (description: string, codes: readonly ErrorCode[], headers: object = {}) => ({
    description,
    headers: { ...everyAnswer, ...headers },
    content: {
      'application/json': {
        schema: schemaRef(schemaName),
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorBody(code) }])),
      },
    },
  });

  const commonAnswers = {
    BadRequest: errorAnswer('The request is not valid HTTP.', ['bad_request']),
    Unauthorized: errorAnswer(
      'The API key is missing or invalid.',
      ['missing_api_key', 'invalid_api_key'],
      challengeHeader,
    ),
    Forbidden: errorAnswer('The key may only read.', ['forbidden']),
    NotFound: errorAnswer('The requested resource could not be found.', ['not_found']),
    RequestTimeout: errorAnswer('The request did not arrive in time.', ['request_timeout']),
    UriTooLong: errorAnswer('The request target is too long.', ['uri_too_long']),
    RateLimited: errorAnswer(
      'The store has used up its requests of this minute. Only where the deployment limits them.',
      ['rate_limited'],
      retryAfter,
    ),
    HeadersTooLarge: errorAnswer('The request headers are too large.', ['headers_too_large']),
    InternalError: errorAnswer('An error on our side.', ['internal_error']),
    Unavailable: errorAnswer('The service cannot answer right now.', ['unavailable'], retryAfter),
  };

  return { errorAnswer, commonAnswers };
}

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
export const forbidden = { 403: { $ref: '#/components/responses/Forbidden' } };
export const notFound = { 404: { $ref: '#/components/responses/NotFound' } };

export function errorProperties(code: object) {
  return {
    code,
    message: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Human-readable description of the error.',
      examples: [errorBody('not_found').message],
    },
    status: {
      type: 'integer',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status code.',
      examples: [errorBody('not_found').status],
    },
  };
}
