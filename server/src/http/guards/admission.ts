import { setTimeout as sleep } from 'node:timers/promises';
import { FairShares } from '../../fair-shares.ts';
import { errorBody } from '../errors.ts';
import { type Answer, jsonAnswer, type Send } from '../server/answer.ts';
import type { Guard } from '../server/guard.ts';
import type { Request } from '../server/request.ts';
import { isSafe } from './scope.ts';

/** Changes that may be under way at a time: more than four groups full of them, so that a burst of a thousand is served. */
const MOST_CHANGES = 1152;

/** Who is refused hears it only then: asked again at once and for ever, refusals would take the time of the others. */
const HELD_MS = 40;

/** Made once, so that it costs as little as can be. */
const refusal: Answer = {
  ...jsonAnswer(errorBody('unavailable'), 503, ['retry-after', '1']),
  error: 'unavailable',
};

/** Makes the guard for requests whose store is known in this way; none is known for what changes no store. */
export type Admit = (storeOf: (request: Request) => bigint | null | undefined) => Guard;

/** Changes that are asked for from outside, counted from when it is known whose they are until they are answered. */
export function openAdmission(most = MOST_CHANGES) {
  const shares = new FairShares(most);
  /** Refuses a store more than its share before the body is read: a refusal costs a fraction of the change. */
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
    /** Whatever becomes of a request, it is answered. */
    untilAnswered(send: Send): Send {
      return (request, response, answer) => {
        if (request.countedFor !== undefined) shares.giveBack(request.countedFor);
        request.countedFor = undefined;
        return send(request, response, answer);
      };
    },
  };
}
