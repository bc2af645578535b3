import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FileMark } from '../database/database-files.ts';
import { Unavailable } from '../database/engine.ts';
import { writerThread } from '../thread-files.ts';
import type { GroupOutcome, GroupRunner } from './group.ts';
import type { Command } from './verb.ts';

export interface ThreadData {
  readonly path: string;
  readonly file: FileMark;
}

export type ToThread = ReadonlyArray<Omit<Command, 'verb'> & { readonly verb: string }> | 'close';

export type FromThread = 'started' | GroupOutcome;

/** Calls `giveUp` once a group has been under way for too long; the returned function stops that. */
export type Patience = (giveUp: () => void) => () => void;

/** Longer than the thread itself waits for a locked file. */
const LONGEST_SILENCE_MS = 7_000;

const usualPatience: Patience = (giveUp) => {
  const timer = setTimeout(giveUp, LONGEST_SILENCE_MS);
  return () => clearTimeout(timer);
};

const SILENT = 'the database cannot be written to: its disk does not answer';

/**
 * Runs groups on a thread, which is in one of four modes. Absent: the next group starts it. Idle: it waits for a group.
 * Busy: a group is under way. Silent: that group was given up, but may still be made, and others are refused until the
 * thread answers.
 */
export function groupsOnThread(data: ThreadData, patience: Patience = usualPatience): GroupRunner {
  let thread: ReturnType<typeof startThread> | undefined;
  let isBusy = false;

  async function runOnThread(commands: readonly Command[], giveUp: () => void): Promise<GroupOutcome> {
    let stopWaiting = () => {};
    try {
      thread ??= startThread(data, () => {
        thread = undefined;
      });
      const { worker, started, ended } = thread;
      await started;
      stopWaiting = patience(giveUp);
      const named = commands.map(({ verb, ...rest }) => ({ verb: verb.name, ...rest }));
      worker.postMessage(named satisfies ToThread);
      const [answer] = await once(worker, 'message', { signal: ended });
      return answer satisfies FromThread;
    } catch (error) {
      // The end of the thread is the cause of an AbortError.
      const { cause = error } = error as Error;
      const why = (cause as Error).message;
      throw new Unavailable(`the database cannot be written to: ${why}`, { cause });
    } finally {
      stopWaiting();
    }
  }

  return {
    async run(commands) {
      // The queue sends one group at a time: one that is still under way was given up.
      if (isBusy) throw new Unavailable(SILENT);
      isBusy = true;
      const givenUp = Promise.withResolvers<never>();
      const done = runOnThread(commands, () => givenUp.reject(new Unavailable(SILENT))).finally(() => {
        isBusy = false;
      });
      return Promise.race([done, givenUp.promise]);
    },
    async close() {
      if (!thread) return;
      thread.worker.postMessage('close' satisfies ToThread);
      await once(thread.ended, 'abort');
    },
  };
}

function startThread(workerData: ThreadData, onEnd: () => void) {
  const worker = new Worker(writerThread(), { workerData });
  // Not a promise: each group waits for this too, and a promise keeps all who wait for it until it settles.
  const ending = new AbortController();
  const end = (why: Error) => {
    onEnd();
    ending.abort(why);
  };
  // `once` rejects with an error that ends the thread.
  once(worker, 'exit').then(() => end(new Error('the writing thread ended')), end);
  const ended = ending.signal;
  return { worker, started: once(worker, 'message', { signal: ended }), ended };
}
