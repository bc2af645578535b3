/** Work that goes on beside requests, in small steps, so that a kill at any moment costs nothing. */
export interface Job {
  readonly name: string;
  readonly restMs: number;
  /** Does each row or store as a `piece` of its own. Once `signal` is aborted, it ends after its present step. */
  run(signal: AbortSignal, piece: Piece): Promise<void>;
  /** A job that is watched says when it last did its work, and whether that went well. */
  last?(): { readonly at: number; readonly isGood: boolean } | undefined;
  /** Does what cannot wait for another start, after the last run. */
  finish?(piece: Piece): Promise<void>;
}

/** Does a part of a job. If it fails, that is told, and the rest goes on. */
export type Piece = (work: () => Promise<unknown>) => Promise<void>;

type OnFailure = (error: unknown, job: string) => void;

/** Runs all jobs: each at the start, after its rest, and when it is woken, never twice at once. */
export function openBackground(jobs: readonly Job[], onFailure: OnFailure) {
  const stopping = new AbortController();
  const runs = new Map(jobs.map((job) => [job, runsOf(job, stopping.signal, onFailure)]));
  return {
    start(): void {
      for (const { wake } of runs.values()) void wake();
    },
    wake: async (job: Job) => runs.get(job)?.wake(),
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(Array.from(runs.values(), ({ stop }) => stop()));
    },
  };
}

function runsOf(job: Job, signal: AbortSignal, onFailure: OnFailure) {
  let newestRun: Promise<void> = Promise.resolve();
  let waitingRun: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const piece: Piece = async (work) => {
    try {
      await work();
    } catch (error) {
      onFailure(error, job.name);
    }
  };

  async function run(): Promise<void> {
    waitingRun = undefined;
    clearTimeout(timer);
    if (signal.aborted) return;
    await piece(() => job.run(signal, piece));
    if (!signal.aborted) timer = setTimeout(wake, job.restMs).unref();
  }

  /** The run under way may have passed over what this is about, so that another one follows it. */
  function wake(): Promise<void> {
    waitingRun ??= newestRun.then(run);
    newestRun = waitingRun;
    return waitingRun;
  }

  async function stop(): Promise<void> {
    clearTimeout(timer);
    await newestRun;
    await piece(async () => job.finish?.(piece));
  }

  return { wake, stop };
}
