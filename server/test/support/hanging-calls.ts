import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import type { CallWatch } from '../../src/writer/sqlite-writer.ts';
import type { FailingCalls, FailureMode } from './failing-calls.ts';

/** Offsets in the memory shared with the thread. */
export const [CALLS, AT, IS_AFTER, HANGS] = [0, 1, 2, 3];

/** In place of a call number: the thread hangs as it starts. */
export const AT_START = -1;

/** Counts the calls of the SQLite writer thread, and makes the Nth hang until disarmed. */
export class HangingCalls implements FailingCalls {
  readonly #shared = new Int32Array(new SharedArrayBuffer(16));
  readonly #undo: () => void;

  constructor() {
    this.#undo = shareWithThreads(this.#shared);
  }

  get calls(): number {
    return Atomics.load(this.#shared, CALLS);
  }

  arm(at: number, way?: FailureMode): void {
    Atomics.store(this.#shared, CALLS, 0);
    Atomics.store(this.#shared, AT, at);
    Atomics.store(this.#shared, IS_AFTER, way === 'hangs after it ran' ? 1 : 0);
    Atomics.store(this.#shared, HANGS, 0);
    Atomics.notify(this.#shared, HANGS);
  }

  /** Threads started from now on hang before they have loaded anything, until armed again. */
  armStart(): void {
    this.arm(AT_START);
  }

  /** Waits until a call, or the start of a thread, hangs. */
  async waitUntilHung(): Promise<void> {
    while (Atomics.load(this.#shared, HANGS) === 0) await Atomics.waitAsync(this.#shared, HANGS, 0).value;
  }

  /** Aborts as soon as a call hangs. */
  readonly watch: CallWatch = (_, abort) => {
    let isOver = false;
    const wait = () => {
      if (isOver) return;
      const { async: isLater, value } = Atomics.waitAsync(this.#shared, HANGS, 0);
      if (isLater) void value.then(wait);
      else abort();
    };
    wait();
    return () => {
      isOver = true;
    };
  };

  [Symbol.dispose](): void {
    this.#undo();
  }
}

/** Threads started from now on count their calls in the shared memory. */
function shareWithThreads(shared: Int32Array): () => void {
  const { Worker } = threads;
  const own = ['--import', new URL('./hanging-thread.ts', import.meta.url).href];
  threads.Worker = class extends Worker {
    constructor(file: URL, { workerData, ...options }: WorkerOptions) {
      super(file, { ...options, execArgv: own, workerData: { ...workerData, shared } });
    }
  } as typeof Worker;
  syncBuiltinESMExports();
  return () => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  };
}
