import type { Data } from './data.ts';
import { median, type Rounds } from './statistics.ts';

/** One bar, and what a run measured against it. */
export interface Result {
  readonly what: string;
  readonly bar: string;
  readonly unit: '×' | 'ms' | 'MB' | 's';
  /** One value a round; the bar is held against their median. */
  readonly values: readonly number[];
  readonly median: number;
  readonly holds: boolean;
  /** What a ratio is made of: medians of both sides. */
  readonly figures: Readonly<Record<string, number>>;
}

export interface Context extends Rounds {
  readonly data: Data;
}

/** Bars that are measured together. */
export interface Scenario {
  readonly name: string;
  run(context: Context): Promise<Result[]>;
}

export function atLeast(
  least: number,
  what: string,
  values: readonly number[],
  figures: Result['figures'] = {},
): Result {
  const middle = median(values);
  return { what, bar: `≥ ${least} ×`, unit: '×', values, median: middle, holds: middle >= least, figures };
}

export function atMost(
  most: number,
  unit: Result['unit'],
  what: string,
  values: readonly number[],
  figures: Result['figures'] = {},
): Result {
  const middle = median(values);
  return { what, bar: `≤ ${most} ${unit}`, unit, values, median: middle, holds: middle <= most, figures };
}
