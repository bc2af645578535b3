import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FileMark } from '../database/database-files.ts';
import { Unavailable } from '../database/engine.ts';
import { writerThread } from '../thread-files.ts';
import type { GroupOutcome, GroupRunner } from './group.ts';
import type { Command } from './verb.ts';
import { type OpenWriter, openWriter } from './writer.ts';

export interface ThreadData {
  readonly path: string;
  readonly file: FileMark;
}

export type ToThread = ReadonlyArray<Omit<Command, 'verb'> & { readonly verb: string }> | 'close';

/** Longer than the thread itself waits for a locked file. */
const LONGEST_SILENCE_MS = 7_000;

/** Calls `giveUp` once a group has been under way for too long; the returned function stops that. */
export type Patience = (giveUp: () => void) => () => void;

export const patienceOfService: Patience = (giveUp) => {
  const timer = setTimeout(giveUp, LONGEST_SILENCE_MS);
  return () => clearTimeout(timer);
};

const SILENT = 'the database cannot be written to: its disk does not answer';

/**
 * Commands that wait are one group. It runs on a thread, so that waiting for the disk holds up no request. The thread is
 * in one of four modes. Absent: the next group starts it. Idle: it waits for a group. Busy: a group is under way. Silent:
 * that group was given up, but may still be made, and others are refused until the thread answers. Without a patience, no
 * group is given up.
 */
export function openSqliteWriter(path: string, file: FileMark, patience?: Patience): OpenWriter {
  let thread: ReturnType<typeof startThread> | undefined;
  let isBusy = false;

  async function runOnThread(commands: readonly Command[]): Promise<GroupOutcome> {
    try {
      if (!thread || thread.ended.aborted) thread = startThread({ path, file });
      const { worker, ended } = thread;
      const named = commands.map(({ verb, ...rest }) => ({ verb: verb.name, ...rest }));
      worker.postMessage(named satisfies ToThread);
      const [answer] = await once(worker, 'message', { signal: ended });
      return answer satisfies GroupOutcome;
    } catch (error) {
      // The end of the thread is the cause of an AbortError.
      const { cause = error } = error as Error;
      const why = (cause as Error).message;
      throw new Unavailable(`the database cannot be written to: ${why}`, { cause });
    }
  }

  const groups: GroupRunner = {
    async run(commands) {
      // One group is sent at a time: one that is still under way was given up.
      if (isBusy) throw new Unavailable(SILENT);
      isBusy = true;
      const givenUp = Promise.withResolvers<never>();
      const stopWaiting = patience?.(() => givenUp.reject(new Unavailable(SILENT)));
      const done = runOnThread(commands).finally(() => {
        isBusy = false;
        stopWaiting?.();
      });
      return Promise.race([done, givenUp.promise]);
    },
    async close() {
      if (!thread || thread.ended.aborted) return;
      thread.worker.postMessage('close' satisfies ToThread);
      await once(thread.ended, 'abort');
    },
  };
  return openWriter(groups, () => path);
}

function startThread(workerData: ThreadData) {
  const worker = new Worker(writerThread(), { workerData });
  // Not a promise: each group waits for this too, and a promise keeps all who wait for it until it settles.
  const ending = new AbortController();
  const end = (why: Error) => ending.abort(why);
  // `once` rejects with an error that ends the thread.
  once(worker, 'exit').then(() => end(new Error('the writing thread ended')), end);
  return { worker, ended: ending.signal };
}
