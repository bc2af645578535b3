/** Periodic work in small steps, so that a kill at any time loses nothing. */
export interface Job {
  readonly name: string;
  readonly intervalMs: number;
  /** Handles each row or store in its own step. Once `signal` is aborted, it ends after the current step. */
  run(signal: AbortSignal, step: Step): Promise<void>;
  /** For metrics: when the job last did its work, and whether it succeeded. */
  lastOutcome?(): { readonly at: number; readonly succeeded: boolean } | undefined;
  /** Called after the last run, for work that cannot wait for the next start. */
  finish?(step: Step): Promise<void>;
}

/** Runs a part of a job and never rejects: failures are reported, and the other steps still run. */
export type Step = (work: () => Promise<unknown>) => Promise<void>;

interface FailureHandling {
  /** `isRepeated`: a step of the same job failed with the same message less than `REPORT_INTERVAL_MS` ago. */
  onFailure(error: unknown, job: string, isRepeated: boolean): void;
  /** Whether the database was unavailable, so that other steps would fail, too. */
  isUnavailable(error: unknown): boolean;
}

/** A run ends after this many consecutive steps found the database unavailable. */
const MAX_UNAVAILABLE_STEPS = 3;
const REPORT_INTERVAL_MS = 10_000;
const MAX_RECENT_REPORTS = 100;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

/** Exponential, with jitter, so that replicas do not retry all at once. */
function backoffMs(failedRuns: number): number {
  const longest = Math.min(FIRST_BACKOFF_MS * 2 ** (failedRuns - 1), MAX_BACKOFF_MS);
  return longest * (0.5 + Math.random() / 2);
}

/** Runs each job at the start, after each interval and when woken, never concurrently with itself. */
export function startBackgroundJobs(jobs: readonly Job[], handling: FailureHandling) {
  const stopping = new AbortController();
  const runners = new Map(jobs.map((job) => [job, runnerOf(job, stopping.signal, handling)]));
  return {
    start(): void {
      for (const { wake } of runners.values()) void wake();
    },
    wake: async (job: Job) => runners.get(job)?.wake(),
    /** Settles once no job has a run in progress or queued. */
    async idle(): Promise<void> {
      await Promise.all(Array.from(runners.values(), ({ idle }) => idle()));
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(Array.from(runners.values(), ({ stop }) => stop()));
    },
  };
}

function runnerOf(job: Job, signal: AbortSignal, { onFailure, isUnavailable }: FailureHandling) {
  let newestRun: Promise<void> = Promise.resolve();
  let waitingRun: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failedRuns = 0;
  const reportedAt = new Map<string, number>();
  const backoff = { elapsed: Promise.resolve(), end: () => {} };

  function startBackoff(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, backoffMs(++failedRuns)).unref();
    Object.assign(backoff, { elapsed: promise, end: resolve });
  }

  function report(error: unknown): void {
    const message = String(error);
    const isRepeated =
      performance.now() - (reportedAt.get(message) ?? Number.NEGATIVE_INFINITY) < REPORT_INTERVAL_MS;
    onFailure(error, job.name, isRepeated);
    if (isRepeated) return;
    if (reportedAt.size === MAX_RECENT_REPORTS) reportedAt.clear();
    reportedAt.set(message, performance.now());
  }

  /** Returns whether it succeeded: nothing was thrown, and the database was available to every step. */
  async function attempt(work: (step: Step) => Promise<unknown> | undefined): Promise<boolean> {
    let succeeded = true;
    let unavailableInARow = 0;
    const step: Step = async (part) => {
      if (unavailableInARow >= MAX_UNAVAILABLE_STEPS) return;
      try {
        await part();
        unavailableInARow = 0;
      } catch (error) {
        report(error);
        if (!isUnavailable(error)) return;
        unavailableInARow++;
        succeeded = false;
      }
    };
    try {
      await work(step);
    } catch (error) {
      report(error);
      succeeded = false;
    }
    return succeeded;
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    await backoff.elapsed;
    waitingRun = undefined;
    if (signal.aborted) return;
    if (await attempt((step) => job.run(signal, step))) failedRuns = 0;
    else startBackoff();
    if (!signal.aborted) timer = setTimeout(wake, job.intervalMs).unref();
  }

  /** Queues one run after the current one, which may have looked for work before this call, and after any back-off. */
  function wake(): Promise<void> {
    waitingRun ??= newestRun.then(run);
    newestRun = waitingRun;
    return waitingRun;
  }

  async function idle(): Promise<void> {
    let awaited: Promise<void>;
    do {
      awaited = newestRun;
      await awaited;
    } while (awaited !== newestRun);
  }

  async function stop(): Promise<void> {
    clearTimeout(timer);
    backoff.end();
    await newestRun;
    await attempt((step) => job.finish?.(step));
  }

  return { wake, idle, stop };
}
