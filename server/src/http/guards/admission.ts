import { setTimeout as sleep } from 'node:timers/promises';
import { FairShares } from '../../fair-shares.ts';
import { ApiError } from '../errors.ts';
import type { Guard } from '../server/answer.ts';
import type { Request } from '../server/request.ts';
import { isSafe } from './scope.ts';

/** More than four groups full of changes, so that a burst of a thousand is served. */
const MOST_CHANGES = 1152;

/** Whoever asks again at once, for ever, would take the time of the others. */
const HELD_MS = 40;

/** Makes the guard for requests whose store is found in this way. */
export type Admit = (storeOf: (request: Request) => bigint | null | undefined) => Guard;

/** Refuses a store more changes than its share, before a body is read: that costs a fraction of the change. */
export function openAdmission(most = MOST_CHANGES): Admit {
  const shares = new FairShares(most);
  return (storeOf) => (request) => {
    const storeId = isSafe(request) ? undefined : storeOf(request);
    if (typeof storeId !== 'bigint') return undefined;
    if (!shares.take(storeId)) return refuseLater(request);
    request.whenAnswered = () => shares.giveBack(storeId);
    return undefined;
  };
}

async function refuseLater({ arrivedAt }: Request): Promise<never> {
  await sleep(Math.max(0, arrivedAt + HELD_MS - performance.now()));
  throw new ApiError('unavailable');
}
