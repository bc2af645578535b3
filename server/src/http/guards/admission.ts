import { setTimeout as sleep } from 'node:timers/promises';
import { fairShareLimit } from '../../concurrency/fair-share-limit.ts';
import { ApiError } from '../errors.ts';
import type { Guard, Request } from '../server/request.ts';
import { isSafe } from './caller.ts';

/** More than four commit groups of 256, so that a burst of a thousand is served. */
const MAX_CHANGES = 1152;

/** Rejections are delayed in proportion to those pending, so that clients that retry immediately do not starve others. */
const MIN_DELAY_MS = 40;
const DELAY_MS_PER_PENDING = 2;
const MAX_DELAY_MS = 3_000;

export type Admit = (tenantOf: (request: Request) => bigint | null | undefined) => Guard;

/** Rejects changes beyond a tenant's fair share. Rejecting is cheap, because the body is not read yet. */
export function createAdmission(limit = MAX_CHANGES): Admit {
  const shares = fairShareLimit(limit);
  let pending = 0;
  const rejectDelayed = async ({ arrivedAt }: Request): Promise<never> => {
    const ms = Math.min(Math.max(MIN_DELAY_MS, ++pending * DELAY_MS_PER_PENDING), MAX_DELAY_MS);
    await sleep(Math.max(0, arrivedAt + ms - performance.now()));
    pending--;
    throw new ApiError('unavailable');
  };
  return (tenantOf) => (request) => {
    const tenantId = isSafe(request) ? undefined : tenantOf(request);
    if (typeof tenantId !== 'bigint') return undefined;
    if (!shares.tryAcquire(tenantId)) return rejectDelayed(request);
    request.onHandled = [() => shares.release(tenantId)];
    return undefined;
  };
}
