import { ApiError } from '../errors.ts';
import type { Guard } from '../server/guard.ts';
import { callerOf } from './authenticate.ts';

const WINDOW_SECONDS = 60;

/** Allows each key so many requests a minute, counted by this process from one full minute to the next. */
export function limitRate(perMinute: number, now: () => number): Guard {
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`;
  let minute = 0;
  let used = new Map<string, number>();

  return (request) => {
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
    const left = Math.max(0, perMinute - count);
    request.answerHeaders.push('ratelimit-policy', policy, 'ratelimit', `"default";r=${left};t=${reset}`);
    if (count > perMinute) throw new ApiError('rate_limited', undefined, ['retry-after', String(reset)]);
    return undefined;
  };
}
