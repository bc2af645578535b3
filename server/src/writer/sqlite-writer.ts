import { once } from 'node:events';
import { startThread } from '../concurrency/start-thread.ts';
import { writerThread } from '../concurrency/thread-files.ts';
import type { FileIdentity } from '../database/database-files.ts';
import { Unavailable } from '../database/engine.ts';
import type { GroupOutcome, GroupRunner } from './group.ts';
import type { Command } from './verb.ts';
import { type OpenWriter, openWriter, type WriteLimits } from './writer.ts';

export interface ThreadData {
  readonly path: string;
  readonly file: FileIdentity;
  /** Counts the starts and ends of the thread's calls to the database: odd during a call. */
  readonly calls: Int32Array;
}

export type ToThread = ReadonlyArray<Omit<Command, 'verb'> & { readonly verb: string }> | 'close';
/** `open` once the thread can write, then the outcome of each group. */
export type FromThread = GroupOutcome | 'open';

/** Calls `abort` when a call to the database does not return. The returned function stops watching. */
export type CallWatch = (calls: Int32Array, abort: () => void) => () => void;

const TICKS = 7;

/**
 * Counts timer ticks of this thread during a single call. Time in which the process was suspended or had no CPU, or in
 * which the writer thread starts or computes, does not count as a slow disk.
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

const STALLED = 'the database is not writable: a call to it timed out';

/**
 * Runs groups on a worker thread, so that waiting for the disk blocks no request. `start` or the first group starts the
 * thread; if it has ended, the next group starts another. A group whose call to the database stalls is aborted: it may
 * still commit, and further groups are rejected until the thread responds. Without limits, no group is aborted.
 */
export function openSqliteWriter(
  path: string,
  file: FileIdentity,
  limits?: WriteLimits,
  watch: CallWatch | undefined = limits && watchCalls(limits.callTimeoutMs),
): OpenWriter {
  const calls = new Int32Array(new SharedArrayBuffer(4));
  let thread: ReturnType<typeof openThread> | undefined;
  let isBusy = false;

  function currentThread(): Promise<OpenThread> {
    if (thread) return thread;
    const opening = openThread({ path, file, calls }, () => {
      thread = undefined;
    });
    thread = opening;
    // `onEnd` is not called for a thread that could not be created.
    opening.catch(() => {
      if (thread === opening) thread = undefined;
    });
    return opening;
  }

  async function usingThread<T>(work: (thread: OpenThread) => Promise<T>): Promise<T> {
    try {
      return await work(await currentThread());
    } catch (error) {
      // If the thread ended, the error is an AbortError with that as its cause.
      const { cause = error } = error as Error;
      const { message } = cause as Error;
      throw new Unavailable(`the database is not writable: ${message}`, { cause });
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
      // Groups run one at a time: if one is still running, it was aborted.
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
  // The previous thread may have ended during a call.
  Atomics.store(workerData.calls, 0, 0);
  const worker = startThread(writerThread(), { workerData });
  // Not a promise: every group waits for it, and a pending promise would retain the reactions of all groups.
  const ending = new AbortController();
  const end = (reason: Error) => {
    onEnd();
    ending.abort(reason);
  };
  // `once` rejects if an error ends the thread.
  once(worker, 'exit').then(() => end(new Error('the writer thread ended')), end);
  await once(worker, 'message', { signal: ending.signal });
  return { worker, ended: ending.signal };
}
