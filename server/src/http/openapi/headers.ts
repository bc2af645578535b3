import { DEFAULT_RATE_LIMIT } from '../../config/flags.ts';
import { headerRef, textHeader } from './openapi.ts';

export const commonHeaders = {
  RequestId: {
    description: 'Identifies this request in our log. Your own is kept if it is short and plain.',
    schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._:=-]+$' },
    example: '3f1c8d4e-5b0a-4a57-9a55-0a8f6c1f0b3d',
  },
  ETag: {
    description: 'Changes whenever the store does.',
    schema: { type: 'string', maxLength: 64, pattern: '^W/"[0-9a-z]+-[0-9]+"$' },
    example: 'W/"2x9c-17"',
  },
  CacheControl: {
    description: 'Keep, but ask before use.',
    schema: { type: 'string', const: 'private, no-cache' },
    example: 'private, no-cache',
  },
  Authenticate: textHeader(
    'How to authenticate (RFC 6750).',
    100,
    'Bearer realm="petstore", error="invalid_token"',
  ),
  RetryAfter: {
    description: 'Seconds to wait.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 21,
  },
  RateLimit: textHeader(
    'What is left of the limit. Only where the deployment has one.',
    100,
    `"default";r=${DEFAULT_RATE_LIMIT - 20};t=21`,
  ),
  RateLimitPolicy: textHeader(
    'The limit. Only where the deployment has one.',
    100,
    `"default";q=${DEFAULT_RATE_LIMIT};w=60`,
  ),
};

/** Its length is bounded by that of all headers: 431. */
export const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer: if nothing changed since, the answer is 304 without a body.',
  schema: { type: 'string' },
  example: commonHeaders.ETag.example,
};

export const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' };

export const everyAnswer = {
  'X-Request-Id': headerRef('RequestId'),
  RateLimit: headerRef('RateLimit'),
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
};
export const caching = {
  ...everyAnswer,
  ETag: headerRef('ETag'),
  'Cache-Control': headerRef('CacheControl'),
};
export const challengeHeader = { 'WWW-Authenticate': headerRef('Authenticate') };
export const retryAfter = { 'Retry-After': headerRef('RetryAfter') };
