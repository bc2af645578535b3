import { setTimeout as sleep } from 'node:timers/promises';
import { fairShares } from '../../fair-shares.ts';
import { ApiError } from '../errors.ts';
import type { Guard, Request } from '../server/request.ts';
import { isSafe } from './caller.ts';

/** More than four groups full of changes, so that a burst of a thousand is served. */
const MOST_CHANGES = 1152;

/** Whoever asks again at once, for ever, would take the time of the others: the more are held, the longer each is. */
const HELD_MS = 40;
const HELD_MS_EACH = 2;
const LONGEST_HELD_MS = 3_000;

export type Admit = (tenantOf: (request: Request) => bigint | null | undefined) => Guard;

/** Refuses a tenant more changes than its share, before a body is read: that costs a fraction of the change. */
export function openAdmission(most = MOST_CHANGES): Admit {
  const shares = fairShares(most);
  let held = 0;
  const refuseLater = async ({ arrivedAt }: Request): Promise<never> => {
    const ms = Math.min(Math.max(HELD_MS, ++held * HELD_MS_EACH), LONGEST_HELD_MS);
    await sleep(Math.max(0, arrivedAt + ms - performance.now()));
    held--;
    throw new ApiError('unavailable');
  };
  return (tenantOf) => (request) => {
    const tenantId = isSafe(request) ? undefined : tenantOf(request);
    if (typeof tenantId !== 'bigint') return undefined;
    if (!shares.take(tenantId)) return refuseLater(request);
    request.whenHandled = [() => shares.giveBack(tenantId)];
    return undefined;
  };
}
