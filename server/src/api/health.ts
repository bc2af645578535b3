import { type Database, Unavailable } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { ApiError } from '../http/errors.ts';
import { type Handler, jsonAnswer } from '../http/server/request.ts';
import { Refusal } from '../refusal.ts';
import { recordTrial } from '../stores/record-trial.ts';
import type { Writer } from '../writer/writer.ts';

const anyStore = query((db, _: Record<never, never>) => db.selectFrom('stores').select('id').limit(1));

const anyOrigin = ['access-control-allow-origin', '*'];

export const isHealthy: Handler = () => jsonAnswer({ status: 'ok' }, 200, anyOrigin);

/** Ready if the database can be read and changed. At first, and after a change that failed, a trial as large as a real change says so. */
export function watchHealth(db: Database, unwatched: Writer, isLeaving: () => boolean) {
  let needsTrial = true;
  /** One at a time, however many changes fail and whoever asks. */
  let trial: Promise<void> | undefined;

  const tryChange = async () => {
    // A change that fails meanwhile calls for another one.
    needsTrial = false;
    try {
      await unwatched.apply(recordTrial, {});
    } catch (error) {
      needsTrial = true;
      throw new Unavailable('the database cannot be changed', { cause: error });
    }
  };

  const writer: Writer = {
    ...unwatched,
    apply(verb, args) {
      const applied = unwatched.apply(verb, args);
      applied.catch((error: unknown) => {
        needsTrial ||= !(error instanceof Refusal);
      });
      return applied;
    },
  };

  const isReady: Handler = async (request) => {
    request.answerHeaders.push(...anyOrigin);
    if (isLeaving()) throw new ApiError('unavailable', 'This process is about to stop.');
    await db.all(anyStore, {});
    if (needsTrial)
      trial ??= tryChange().finally(() => {
        trial = undefined;
      });
    await trial;
    return jsonAnswer({ status: 'ready' });
  };

  return { writer, isReady };
}
