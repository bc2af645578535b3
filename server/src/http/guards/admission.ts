import { setTimeout as sleep } from 'node:timers/promises';
import { FairShares } from '../../fair-shares.ts';
import { errorBody } from '../errors.ts';
import { type Answer, jsonAnswer, type Send } from '../server/answer.ts';
import type { Guard } from '../server/guard.ts';
import type { Request } from '../server/request.ts';
import { isSafe } from './scope.ts';

/** More than four groups full of changes, so that a burst of a thousand is served. */
const MOST_CHANGES = 1152;

/** Whoever asks again at once, for ever, would take the time of the others. */
const HELD_MS = 40;

const refusal: Answer = {
  ...jsonAnswer(errorBody('unavailable'), 503, ['retry-after', '1']),
  error: 'unavailable',
};

export type Admit = (storeOf: (request: Request) => bigint | null | undefined) => Guard;

/** Counts changes from when it is known whose they are until they are answered. */
export function openAdmission(most = MOST_CHANGES) {
  const shares = new FairShares(most);
  /** Refuses before the body is read: that costs a fraction of the change. */
  const admit: Admit = (storeOf) => (request) => {
    const storeId = isSafe(request) ? undefined : storeOf(request);
    if (typeof storeId !== 'bigint') return undefined;
    if (!shares.take(storeId))
      return sleep(Math.max(0, request.arrivedAt + HELD_MS - performance.now()), refusal);
    request.countedFor = storeId;
    return undefined;
  };
  return {
    admit,
    untilAnswered(send: Send): Send {
      return (request, response, answer) => {
        if (request.countedFor !== undefined) shares.giveBack(request.countedFor);
        request.countedFor = undefined;
        return send(request, response, answer);
      };
    },
  };
}
