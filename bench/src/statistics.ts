/** Of values in ascending order; between two of them, the higher. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[upper] as number;
  return ((sorted[upper - 1] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}

/** Each round's value of one subject over the same round's value of another. */
export function ratios(of: readonly number[], to: readonly number[]): number[] {
  return of.map((value, round) => value / (to[round] as number));
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of a first round, which does not count. */
  readonly warmUp: number;
}

/** Takes as long in all, in more rounds: the speed of a shared machine changes by the second, and then for both sides. */
export function inShortRounds({ rounds, seconds, warmUp }: Rounds): Rounds {
  return { rounds: 4 * rounds, seconds: seconds / 4, warmUp };
}

/**
 * Measures all subjects in turn, there and back, again and again: whatever else the machine does falls on all of them
 * alike, and so does what a subject leaves to the one after it.
 */
export async function interleave<Name extends string>(
  { rounds, seconds, warmUp }: Rounds,
  subjects: Record<Name, (seconds: number) => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const entries = Object.entries(subjects) as Array<[Name, (seconds: number) => Promise<number>]>;
  const measured = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >;
  for (const [, measure] of entries) await measure(warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) {
      measured[name].push(await measure(seconds));
    }
  }
  return measured;
}
