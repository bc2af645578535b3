import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/** One line a request. Neither headers nor the query are logged, and no key that strayed into the path. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info({
      id: request.id,
      key: request.caller?.keyId,
      method: request.method,
      path: loggedPath(request.originalUrl),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
    });
    done();
  });
}

/** Long enough for a key without its prefix; nothing else in our paths is. */
const keyLike = /[0-9A-Za-z]{32,}/g;

/** Escapes could hide a key in more ways than can be told: nothing behind the first one is logged. */
export function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] as string;
  const end = path.indexOf('%');
  const plain = end === -1 ? path : `${path.slice(0, end)}%…`;
  return plain.replace(keyLike, '…');
}
