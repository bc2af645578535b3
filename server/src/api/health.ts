import { type Database, Unavailable } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { ApiError } from '../http/errors.ts';
import { type Handler, jsonAnswer } from '../http/server/request.ts';
import { madeOnce } from '../made-once.ts';
import { Refusal } from '../refusal.ts';
import { recordTrial } from '../stores/record-trial.ts';
import type { Writer } from '../writer/writer.ts';

const anyStore = query((db, _: Record<never, never>) => db.selectFrom('stores').select('id').limit(1));

const anyOrigin = ['access-control-allow-origin', '*'];

export const isHealthy: Handler = () => jsonAnswer({ status: 'ok' }, 200, anyOrigin);

/** Ready if the database can be read and changed. At first, and after a change that failed, a trial as large as a real change says so. */
export function watchHealth(db: Database, unwatched: Writer, isLeaving: () => boolean) {
  const newTrial = () =>
    madeOnce(() =>
      unwatched.apply(recordTrial, {}).catch((error: unknown) => {
        throw new Unavailable('the database cannot be changed', { cause: error });
      }),
    );
  let tryChange = newTrial();

  const writer: Writer = {
    ...unwatched,
    apply(verb, args) {
      const applied = unwatched.apply(verb, args);
      applied.catch((error: unknown) => {
        if (!(error instanceof Refusal)) tryChange = newTrial();
      });
      return applied;
    },
  };

  const isReady: Handler = async (request) => {
    request.answerHeaders.push(...anyOrigin);
    if (isLeaving()) throw new ApiError('unavailable', 'This process is about to stop.');
    await db.all(anyStore, {});
    await tryChange();
    return jsonAnswer({ status: 'ready' });
  };

  return { writer, isReady };
}
