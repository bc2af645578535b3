import { setTimeout as sleep } from 'node:timers/promises';
import { fairShareLimit } from '../../concurrency/fair-share-limit.ts';
import { ApiError } from '../errors.ts';
import type { Guard, Request } from '../server/request.ts';
import { isSafe } from './caller.ts';

/** More than four groups full of changes, so that a burst of a thousand is served. */
const MAX_CHANGES = 1152;

/** Whoever asks again at once, for ever, would take the time of the others: the more are held, the longer each is. */
const HELD_MS = 40;
const HELD_MS_EACH = 2;
const MAX_DELAY_MS = 3_000;

export type Admit = (tenantOf: (request: Request) => bigint | null | undefined) => Guard;

/** Refuses a tenant more changes than its share, before a body is read: that costs a fraction of the change. */
export function openAdmission(most = MAX_CHANGES): Admit {
  const shares = fairShareLimit(most);
  let held = 0;
  const rejectLater = async ({ arrivedAt }: Request): Promise<never> => {
    const ms = Math.min(Math.max(HELD_MS, ++held * HELD_MS_EACH), MAX_DELAY_MS);
    await sleep(Math.max(0, arrivedAt + ms - performance.now()));
    held--;
    throw new ApiError('unavailable');
  };
  return (tenantOf) => (request) => {
    const tenantId = isSafe(request) ? undefined : tenantOf(request);
    if (typeof tenantId !== 'bigint') return undefined;
    if (!shares.take(tenantId)) return rejectLater(request);
    request.whenHandled = [() => shares.release(tenantId)];
    return undefined;
  };
}
