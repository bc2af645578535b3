import type { FastifyRequest } from 'fastify';
import type { RequestCounts } from '../../background/request-counts.ts';
import { ApiError } from '../errors.ts';
import type { Guard } from '../server/guard.ts';

/** Allows everyone so many requests a minute; `who` says by whom a request is made. */
export function limitRate(counts: RequestCounts, who: (request: FastifyRequest) => string): Guard {
  const policy = `ratelimit-policy: "default";q=${counts.perMinute};w=60\r\n`;
  return (request) => {
    const { isAllowed, left, resetSeconds } = counts.take(who(request));
    const reset = String(resetSeconds);
    request.answerLines += `${policy}ratelimit: "default";r=${left};t=${reset}\r\n`;
    if (!isAllowed) throw new ApiError('rate_limited', undefined, ['retry-after', reset]);
    return undefined;
  };
}

/** All requests of a store count together, with whatever key they come. */
export function storeCountedAs(storeId: bigint): string {
  return `store ${storeId}`;
}
