import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { callerOf } from './authenticate.ts';

const WINDOW_SECONDS = 60;

/** Allows each key so many requests a minute, counted by this process from one full minute to the next. */
export function limitRate(app: FastifyInstance, perMinute: number, now: () => number): void {
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`;
  let minute = 0;
  let used = new Map<string, number>();

  app.addHook('onRequest', (request, reply, done) => {
    const seconds = now() / 1000;
    const current = Math.floor(seconds / WINDOW_SECONDS);
    if (current !== minute) {
      minute = current;
      used = new Map();
    }
    const { keyId } = callerOf(request);
    const count = (used.get(keyId) ?? 0) + 1;
    used.set(keyId, count);
    const reset = Math.ceil((current + 1) * WINDOW_SECONDS - seconds);
    reply
      .header('ratelimit-policy', policy)
      .header('ratelimit', `"default";r=${Math.max(0, perMinute - count)};t=${reset}`);
    if (count <= perMinute) return done();
    reply.header('retry-after', reset);
    done(new ApiError('rate_limited'));
  });
}
