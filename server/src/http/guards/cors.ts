import type { FastifyInstance } from 'fastify';

/** What a browser client may read of an answer besides its body. */
const exposed = [
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');
const methods = 'GET, HEAD, POST, PATCH, DELETE';
const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id';

/** On every answer of the interface, whatever it is. */
export const standing = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
};

/** Any origin may call with a key of its own; cookies play no part. A preflight needs no key. */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(standing);
    const { origin, 'access-control-request-method': method } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) return done();
    reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', '86400')
      .send();
  });
}
