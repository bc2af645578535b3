import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { writerThread } from '../concurrency/thread-files.ts';
import type { FileMark } from '../database/database-files.ts';
import { Unavailable } from '../database/engine.ts';
import type { GroupOutcome, GroupRunner } from './group.ts';
import type { Command } from './verb.ts';
import { type OpenWriter, openWriter, type WriteLimits } from './writer.ts';

export interface ThreadData {
  readonly path: string;
  readonly file: FileMark;
  /** Counts the beginnings and ends of the thread's calls to the database: odd while one is under way. */
  readonly calls: Int32Array;
}

export type ToThread = ReadonlyArray<Omit<Command, 'verb'> & { readonly verb: string }> | 'close';
/** `open` once the thread can write, and then the outcome of each group. */
export type FromThread = GroupOutcome | 'open';

/** Calls `abort` when a call to the database does not return. The returned function ends the watch. */
export type CallWatch = (calls: Int32Array, abort: () => void) => () => void;

const TICKS = 7;

/**
 * Ticks of this thread are counted, and only while one and the same call is under way. Time in which the process was
 * suspended or had no CPU, and time that the writing thread takes to start and to compute, is not taken for a slow disk.
 */
const watchCalls =
  (timeoutMs: number): CallWatch =>
  (calls, abort) => {
    let [last, ticks] = [0, 0];
    const timer = setInterval(() => {
      const call = Atomics.load(calls, 0);
      ticks = call === last && (call & 1) === 1 ? ticks + 1 : 0;
      last = call;
      if (ticks === TICKS) abort();
    }, timeoutMs / TICKS);
    return () => clearInterval(timer);
  };

const STALLED = 'the database cannot be written to: a call to it has not returned in time';

/**
 * Commands that wait are one group. It runs on a thread, so that waiting for the disk blocks no request. The thread is
 * started by `start`, or by the first group, and again by the next group when it has ended. A group whose call to the
 * database stalls is aborted: it may still be committed, and others are rejected until the thread responds. Without limits,
 * no group is aborted.
 */
export function openSqliteWriter(
  path: string,
  file: FileMark,
  limits?: WriteLimits,
  watch: CallWatch | undefined = limits && watchCalls(limits.callTimeoutMs),
): OpenWriter {
  const calls = new Int32Array(new SharedArrayBuffer(4));
  let thread: ReturnType<typeof openThread> | undefined;
  let isBusy = false;

  async function usingThread<T>(work: (thread: OpenThread) => Promise<T>): Promise<T> {
    try {
      thread ??= openThread({ path, file, calls }, () => {
        thread = undefined;
      });
      return await work(await thread);
    } catch (error) {
      // The end of the thread is the cause of an AbortError.
      const { cause = error } = error as Error;
      const why = (cause as Error).message;
      throw new Unavailable(`the database cannot be written to: ${why}`, { cause });
    }
  }

  const runOnThread = (commands: readonly Command[]) =>
    usingThread(async ({ worker, ended }) => {
      const named = commands.map(({ verb, ...rest }) => ({ verb: verb.name, ...rest }));
      worker.postMessage(named satisfies ToThread);
      const [outcome]: FromThread[] = await once(worker, 'message', { signal: ended });
      return outcome as GroupOutcome;
    });

  const groups: GroupRunner = {
    start: () => usingThread(async () => {}),
    async run(commands) {
      // One group is sent at a time: one that is still under way was aborted.
      if (isBusy) throw new Unavailable(STALLED);
      isBusy = true;
      const stalled = Promise.withResolvers<never>();
      const endWatch = watch?.(calls, () => stalled.reject(new Unavailable(STALLED)));
      const done = runOnThread(commands).finally(() => {
        isBusy = false;
        endWatch?.();
      });
      return Promise.race([done, stalled.promise]);
    },
    async close() {
      const open = await thread?.catch(() => undefined);
      if (!open || open.ended.aborted) return;
      open.worker.postMessage('close' satisfies ToThread);
      await once(open.ended, 'abort');
    },
  };
  return openWriter(groups, () => path, { limits });
}

type OpenThread = Awaited<ReturnType<typeof openThread>>;

async function openThread(workerData: ThreadData, onEnd: () => void) {
  // The one before may have ended in the middle of a call.
  Atomics.store(workerData.calls, 0, 0);
  const worker = new Worker(writerThread(), { workerData });
  // Not a promise: each group waits for this too, and a promise keeps all who wait for it until it settles.
  const ending = new AbortController();
  const end = (why: Error) => {
    onEnd();
    ending.abort(why);
  };
  // `once` rejects with an error that ends the thread.
  once(worker, 'exit').then(() => end(new Error('the writing thread ended')), end);
  await once(worker, 'message', { signal: ending.signal });
  return { worker, ended: ending.signal };
}
