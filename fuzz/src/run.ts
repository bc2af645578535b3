import type { BlockedInterval } from './program/blocked-event-loop.ts';

/** A violation, and everything needed to reproduce it. */
export interface Failure {
  readonly fuzzer: string;
  readonly number: number;
  readonly problem: string;
  /** The bytes sent and received, as text. */
  readonly sent: string;
  readonly received: string;
}

export interface Fuzzer {
  /** Makes one attempt: undefined if nothing is wrong. */
  attempt(number: number, lane: number): Promise<Failure | undefined>;
  /** What that attempt sends, as text. */
  show(number: number): string;
}

export interface RunOptions {
  readonly first: number;
  /** The maximum number of attempts. */
  readonly count: number;
  /** The deadline, by `Date.now()`. */
  readonly until: number;
  /** The number of concurrent attempts. */
  readonly lanes: number;
  readonly blocked: readonly BlockedInterval[];
  /** Why no further attempt is possible; undefined while it is. */
  ended(): string | undefined;
}

export interface RunResult {
  readonly attempts: number;
  readonly failures: readonly Failure[];
  /** Attempts during which the event loop was blocked, and the longest such time in milliseconds of work. */
  readonly suspects: ReadonlyMap<number, number>;
}

const ENOUGH_FAILURES = 10;

/** Makes attempts in sequence in each lane, and notes which ones ran while the event loop was blocked. */
export async function run({ attempt }: Fuzzer, options: RunOptions): Promise<RunResult> {
  const { first, count, until, lanes, blocked, ended } = options;
  const failures: Failure[] = [];
  const spans: Array<{ number: number; from: number; until: number }> = [];
  const blockedBefore = blocked.length;
  let next = first;
  const isOver = () =>
    next >= first + count ||
    Date.now() >= until ||
    failures.length >= ENOUGH_FAILURES ||
    ended() !== undefined;

  async function lane(index: number): Promise<void> {
    while (!isOver()) {
      const number = next++;
      const from = clock();
      const failure = await attempt(number, index);
      spans.push({ number, from, until: clock() });
      // Spans are needed only for blocked intervals, which are reported soon after they end.
      if (spans.length > 20_000 && blocked.length === blockedBefore) spans.splice(0, 10_000);
      if (failure) failures.push(failure);
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  // Wait for the last report of a blocked event loop.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const suspects = new Map<number, number>();
  for (const interval of blocked.slice(blockedBefore)) {
    for (const span of spans) {
      if (span.from < interval.until && span.until > interval.from) {
        suspects.set(span.number, Math.max(interval.cpu, suspects.get(span.number) ?? 0));
      }
    }
  }
  return { attempts: next - first, failures, suspects };
}

function clock(): number {
  return performance.timeOrigin + performance.now();
}
