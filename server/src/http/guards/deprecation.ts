import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';

export const DEPRECATED_SINCE = new Date('2026-11-15T00:00:00Z');
export const SUNSET = new Date('2030-12-05T00:00:00Z');

const headers = {
  // RFC 9745 wants a structured date; RFC 8594 an HTTP date.
  deprecation: `@${DEPRECATED_SINCE.getTime() / 1000}`,
  sunset: SUNSET.toUTCString(),
};
const reading = '</docs>; rel="deprecation"; type="text/html", </docs>; rel="sunset"; type="text/html"';

/** Says on every answer of a deprecated operation that it will go, whatever the answer is. */
export function announceDeprecation(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.operation.deprecated) {
      const [path = ''] = request.originalUrl.split('?');
      const successor = `<${path.replace(/^\/v1/, '/v2').replace(/[^\w.~%/-]/g, encodeURIComponent)}>; rel="successor-version"`;
      reply.headers(headers).header('link', `${reading}, ${successor}`);
    }
    done();
  });
}

/** From the sunset on, a deprecated operation is gone, for everyone with a key. */
export function refuseAfterSunset(app: FastifyInstance, now: () => number): void {
  app.addHook('onRequest', (request, _, done) => {
    const gone = request.operation.deprecated && now() >= SUNSET.getTime();
    done(gone ? new ApiError('gone') : undefined);
  });
}
