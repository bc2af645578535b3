import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { keyInText } from '../keys/key-format.ts';

/** One line a request. Neither headers nor the query are logged, and no key that strayed into the path. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info({
      id: request.id,
      key: request.caller?.keyId,
      method: request.method,
      path: loggedPath(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
    });
    done();
  });
}

export function loggedPath(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('pst_') && !path.includes('%')) return path;
  return decodeLeniently(path).replace(keyInText, '$1…');
}

/** Escapes could hide a key; a path whose escapes are broken hides nothing that we would accept as one. */
function decodeLeniently(path: string): string {
  return path.replace(/%[0-7][0-9a-f]/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.-]/.test(character) ? character : escaped;
  });
}
