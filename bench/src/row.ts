import { summarise } from './statistics.ts';

/** One bar, what was measured against it, and whether it holds. */
export interface Row {
  /** The scenario it belongs to. */
  readonly scenario: string;
  readonly what: string;
  readonly engine?: string;
  /** The bar in words; without one the row is there to compare with. */
  readonly bar?: string;
  readonly unit: '×' | 'ms' | 'MB' | 's' | '/s';
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly holds?: boolean;
  /** The figures behind it, such as rates of both sides. */
  readonly figures: Readonly<Record<string, number>>;
  readonly note?: string;
}

export interface Bar {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A row from the values of all rounds; the bar is held against their median. */
export function row(
  description: Pick<Row, 'scenario' | 'what' | 'unit'> & Partial<Pick<Row, 'engine' | 'note' | 'figures'>>,
  values: readonly number[],
  bar?: Bar,
  /** Whether what the bar presupposes was reached; without it the bar cannot hold. */
  isFair = true,
): Row {
  const summary = summarise(values);
  const text =
    bar?.atLeast !== undefined
      ? `≥ ${bar.atLeast} ${description.unit}`
      : bar?.atMost !== undefined
        ? `≤ ${bar.atMost} ${description.unit}`
        : undefined;
  return {
    figures: {},
    ...description,
    ...summary,
    ...(bar && text
      ? {
          bar: text,
          holds:
            isFair &&
            summary.median >= (bar.atLeast ?? Number.NEGATIVE_INFINITY) &&
            summary.median <= (bar.atMost ?? Number.POSITIVE_INFINITY),
        }
      : {}),
  };
}
