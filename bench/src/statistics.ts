/** What repeated measurements of one thing say together. */
export interface Summary {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function summarise(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: percentile(sorted, 50), low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN };
}

/** Of values already in ascending order; between two of them, the higher. */
export function percentile(sorted: readonly number[], percent: number): number {
  if (sorted.length === 0) return Number.NaN;
  if (percent === 50 && sorted.length % 2 === 0) {
    const upper = sorted.length / 2;
    return ((sorted[upper - 1] as number) + (sorted[upper] as number)) / 2;
  }
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] as number;
}

export function median(values: readonly number[]): number {
  return summarise(values).median;
}

const WARM_UP_SECONDS = 0.5;
/** For changes: what makes them is compiled while it runs, on the same core, and that takes so long. */
export const LONG_WARM_UP_SECONDS = 8;

/**
 * Measures all subjects in turn, there and back, again and again, so that whatever else the machine does falls on all of
 * them alike, and so does what a subject leaves to the one after it. A first round warms up and does not count.
 */
export async function interleave<Name extends string, T>(
  {
    rounds,
    seconds,
    warmUp = Math.min(seconds, WARM_UP_SECONDS),
  }: { rounds: number; seconds: number; warmUp?: number },
  subjects: Record<Name, (seconds: number) => Promise<T>>,
): Promise<Record<Name, T[]>> {
  const entries = Object.entries(subjects) as Array<[Name, (seconds: number) => Promise<T>]>;
  const measured = Object.fromEntries(entries.map(([name]) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) {
      const value = await measure(round === 0 ? warmUp : seconds);
      if (round > 0) measured[name].push(value);
    }
  }
  return measured;
}

/** For what is up to speed at once: more time, in rounds of a second. Many short ones agree where few long ones don't. */
export function shortRounds({ rounds, seconds }: { rounds: number; seconds: number }) {
  return { rounds: Math.max(rounds, Math.round(1.5 * rounds * seconds)), seconds: Math.min(seconds, 1) };
}

/** Each round's value of one subject over the same round's value of another. */
export function ratios(of: readonly number[], to: readonly number[]): number[] {
  return of.map((value, round) => value / (to[round] as number));
}
