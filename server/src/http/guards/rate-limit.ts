import { ApiError } from '../errors.ts';
import type { Guard, Request } from '../server/request.ts';

interface RequestCounts {
  readonly perMinute: number;
  take(who: string): { readonly isAllowed: boolean; readonly left: number; readonly resetSeconds: number };
}

export function limitRate(counts: RequestCounts, who: (request: Request) => string): Guard {
  const policy = `"default";q=${counts.perMinute};w=60`;
  return (request) => {
    const { isAllowed, left, resetSeconds } = counts.take(who(request));
    const reset = String(resetSeconds);
    request.answerHeaders.push('ratelimit-policy', policy, 'ratelimit', `"default";r=${left};t=${reset}`);
    if (!isAllowed) throw new ApiError('rate_limited', undefined, ['retry-after', reset]);
  };
}

/** Counts all keys of a store together, also after a reset. */
export function tenantCountedAs(tenantId: bigint): string {
  return `tenant ${tenantId}`;
}
