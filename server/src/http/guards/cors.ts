import type { Guard, Response } from '../server/request.ts';

const exposedHeaders =
  'Accept-Query, Allow, Deprecation, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id';
/** For paths without a resource, so that clients can read the 404. */
const anyMethod = 'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE';
const requestHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, Traceparent, Tracestate, X-Request-Id';

const apiHeaders = Object.entries({
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}).flat();

const preflightResponse = (allow: string): Response => ({
  status: 204,
  headers: Object.entries({
    'access-control-allow-methods': allow || anyMethod,
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': '86400',
  }).flat(),
});

/** Any origin may call with an API key; cookies are not used. A preflight needs no key. */
export const allowCrossOrigin: Guard = ({ method, headers, responseHeaders, allow }) => {
  const { origin, 'access-control-request-method': requested } = headers;
  responseHeaders.push(...apiHeaders);
  const isPreflight = method === 'OPTIONS' && origin !== undefined && requested !== undefined;
  return isPreflight ? preflightResponse(allow) : undefined;
};
