import { type Database, Unavailable } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { ApiError } from '../http/errors.ts';
import { type Handler, jsonAnswer } from '../http/server/answer.ts';
import { Refusal } from '../refusal.ts';
import { recordTrial } from '../stores/record-trial.ts';
import type { Writer } from '../writer/writer.ts';

const anyStore = query((db, _: Record<never, never>) => db.selectFrom('stores').select('id').limit(1));

const anyOrigin = ['access-control-allow-origin', '*'];

export const isHealthy: Handler = () => jsonAnswer({ status: 'ok' }, 200, anyOrigin);

/** Ready if the database can be read and changed. At first, and after a change that failed, a trial as large as a real change says so. */
export function isReady(db: Database, writer: WatchedWriter, isLeaving: () => boolean): Handler {
  return async (request) => {
    request.answerHeaders.push(...anyOrigin);
    if (isLeaving()) throw new ApiError('unavailable', 'This process is about to stop.');
    await db.all(anyStore, {});
    if (writer.failing) await writer.tryChange();
    return jsonAnswer({ status: 'ready' });
  };
}

export interface WatchedWriter extends Writer {
  /** True until a trial has succeeded, and again once a change has failed. */
  readonly failing: boolean;
  tryChange(): Promise<void>;
}

export function watchWriter(writer: Writer): WatchedWriter {
  let failing = true;
  let trying: Promise<void> | undefined;
  const failed = (error: unknown) => {
    failing ||= !(error instanceof Refusal);
  };
  const tryOnce = async () => {
    try {
      await writer.apply(recordTrial, {});
      failing = false;
    } catch (error) {
      throw new Unavailable('the database cannot be changed', { cause: error });
    }
  };
  return {
    ...writer,
    apply(verb, args) {
      const applied = writer.apply(verb, args);
      applied.catch(failed);
      return applied;
    },
    get failing() {
      return failing;
    },
    tryChange() {
      trying ??= tryOnce().finally(() => {
        trying = undefined;
      });
      return trying;
    },
  };
}
