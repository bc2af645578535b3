/** How sure an interval is to contain the true median. High, because it is looked at several times in a run. */
const CONFIDENCE = 0.99;

/** The median of some values, and the interval that contains the median of all possible ones. */
export interface Estimate {
  readonly rounds: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export type Verdict = 'holds' | 'missed' | 'undecided';

/** Distribution-free: the interval lies between two order statistics, chosen by the binomial distribution. */
export function estimate(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const rounds = sorted.length;
  const cut = cutOff(rounds);
  return {
    rounds,
    median: median(sorted),
    low: cut < 0 ? Number.NEGATIVE_INFINITY : (sorted[cut] as number),
    high: cut < 0 ? Number.POSITIVE_INFINITY : (sorted[rounds - 1 - cut] as number),
  };
}

/** Values left out at either end; -1 if there are too few for any interval. */
function cutOff(rounds: number): number {
  const tail = (1 - CONFIDENCE) / 2;
  let cut = -1;
  let chance = 0.5 ** rounds;
  for (let below = chance; below <= tail; below += chance) {
    cut++;
    chance *= (rounds - cut) / (cut + 1);
  }
  return cut;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle - 1)] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}

/** Whether the median is at most the limit; decided only if the whole interval is on one side. */
export function verdict({ low, high }: Estimate, limit: number): Verdict {
  if (high <= limit) return 'holds';
  return low > limit ? 'missed' : 'undecided';
}

/** Rounds that would probably decide, besides those measured: an interval shrinks with the square root of its rounds. */
export function moreRounds({ rounds, median, low, high }: Estimate, limit: number): number {
  const width = median <= limit ? high - median : median - low;
  const needed = rounds * (width / Math.abs(median - limit)) ** 2;
  return Math.max(1, Math.ceil(needed) - rounds);
}
