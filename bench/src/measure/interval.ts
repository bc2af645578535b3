/** Probability that an interval contains the true median. High, because a run checks it several times. */
const CONFIDENCE = 0.99;

/** Median of a sample, and the confidence interval of the true median. */
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

/** Number of values below the interval, which is also the number above; -1 if there are too few values for any interval. */
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

/** Whether the median is within the limit; undecided if the limit is inside the interval. */
export function verdict({ low, high }: Estimate, limit: number): Verdict {
  if (high <= limit) return 'holds';
  return low > limit ? 'missed' : 'undecided';
}

/** Estimated number of further rounds until a verdict: an interval shrinks with the square root of its rounds. */
export function moreRounds({ rounds, median, low, high }: Estimate, limit: number): number {
  const width = median <= limit ? high - median : median - low;
  const needed = rounds * (width / Math.abs(median - limit)) ** 2;
  return Math.max(1, Math.ceil(needed) - rounds);
}
