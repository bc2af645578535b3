import type { BlockedInterval } from './program/blocked-event-loop.ts';

/** Something that broke a promise, and all it takes to see it again. */
export interface Failure {
  readonly fuzzer: string;
  readonly number: number;
  readonly problem: string;
  /** What was sent, and what came, as text. */
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
  /** So many attempts at the most. */
  readonly count: number;
  /** Until then, by `Date.now()`. */
  readonly until: number;
  /** How many are under way at once. */
  readonly lanes: number;
  readonly held: readonly BlockedInterval[];
  /** Why nothing more can be tried; undefined as long as it can. */
  ended(): string | undefined;
}

export interface RunResult {
  readonly attempts: number;
  readonly failures: readonly Failure[];
  /** Attempts during which the event loop was held, and how many milliseconds of work it was at worst. */
  readonly suspects: ReadonlyMap<number, number>;
}

const ENOUGH_FAILURES = 10;

/** Makes attempts one after the other in each lane, and notes which were under way when the event loop was held. */
export async function run({ attempt }: Fuzzer, options: RunOptions): Promise<RunResult> {
  const { first, count, until, lanes, held, ended } = options;
  const failures: Failure[] = [];
  const spans: Array<{ number: number; from: number; until: number }> = [];
  const heldBefore = held.length;
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
      if (spans.length > 20_000 && held.length === heldBefore) spans.splice(0, 10_000);
      if (failure) failures.push(failure);
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  // What was seen at the very end is still on its way.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const suspects = new Map<number, number>();
  for (const turn of held.slice(heldBefore)) {
    for (const span of spans) {
      if (span.from < turn.until && span.until > turn.from) {
        suspects.set(span.number, Math.max(turn.cpu, suspects.get(span.number) ?? 0));
      }
    }
  }
  return { attempts: next - first, failures, suspects };
}

function clock(): number {
  return performance.timeOrigin + performance.now();
}
