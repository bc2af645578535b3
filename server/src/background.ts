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

/** Runs all jobs: each at the start, after its rest, and when it is woken, never twice at once. */
export class Background {
  readonly #runs: ReadonlyMap<Job, JobRuns>;
  readonly #stopping = new AbortController();

  constructor(jobs: readonly Job[], onFailure: (error: unknown, job: string) => void) {
    this.#runs = new Map(jobs.map((job) => [job, new JobRuns(job, this.#stopping.signal, onFailure)]));
  }

  start(): void {
    for (const runs of this.#runs.values()) void runs.wake();
  }

  async wake(job: Job): Promise<void> {
    await this.#runs.get(job)?.wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(Array.from(this.#runs.values(), (runs) => runs.stop()));
  }
}

class JobRuns {
  readonly #job: Job;
  readonly #signal: AbortSignal;
  readonly #onFailure: (error: unknown, job: string) => void;
  #lastRun: Promise<void> = Promise.resolve();
  #nextRun: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(job: Job, signal: AbortSignal, onFailure: (error: unknown, job: string) => void) {
    this.#job = job;
    this.#signal = signal;
    this.#onFailure = onFailure;
  }

  /** The run under way may have passed over what this is about, so that another one follows it. */
  wake(): Promise<void> {
    this.#nextRun ??= this.#lastRun.then(() => this.#run());
    this.#lastRun = this.#nextRun;
    return this.#nextRun;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#lastRun;
    await this.#piece(async () => this.#job.finish?.(this.#piece));
  }

  #piece: Piece = async (work) => {
    try {
      await work();
    } catch (error) {
      this.#onFailure(error, this.#job.name);
    }
  };

  async #run(): Promise<void> {
    this.#nextRun = undefined;
    clearTimeout(this.#timer);
    if (this.#signal.aborted) return;
    await this.#piece(() => this.#job.run(this.#signal, this.#piece));
    if (!this.#signal.aborted) this.#timer = setTimeout(() => this.wake(), this.#job.restMs).unref();
  }
}
