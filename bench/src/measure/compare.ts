import { type Estimate, estimate, median, verdict } from './interval.ts';

export interface Effort {
  /** Length of a sample in seconds of processor time: samples on a busy machine are as precise as on an idle one. */
  readonly seconds: number;
  /** Processor time of a process before its first sample: until V8 has compiled the hot code, a request costs twice as much. */
  readonly warmUp: number;
  /** After these numbers of rounds, the comparison ends if the verdict is decided. */
  readonly checkpoints: readonly number[];
}

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  /** Sends requests until the process has used this much processor time. Returns their number. */
  sample(seconds: number): Promise<number>;
  /** The CPU time of the process so far, in seconds. */
  processorTime(): number;
}

/** A measurement with the limit for its median. */
export interface Row {
  readonly what: string;
  readonly limit: number;
  readonly unit: '×' | 'ms' | 'MB' | 's';
  readonly estimate: Estimate;
  readonly values: readonly number[];
  /** The medians of each side, for information. */
  readonly figures: readonly string[];
  /** Known reason for missing the limit. */
  readonly because?: string;
}

interface Sample {
  readonly cost: number;
  readonly rate: number;
}

interface Comparison {
  readonly what: string;
  readonly limit: number;
  readonly because?: string;
  /** Which time counts as the cost: elapsed time for sides that wait for the disk. */
  readonly by?: 'processor time' | 'elapsed time';
}

/**
 * Ratio of the costs per request of two sides, each a process of its own. Each round takes short samples in the order A B B A, so
 * that other load on the machine affects both sides alike, and yields one ratio. A side is also charged what its process does
 * between its samples, such as writing logs.
 */
export async function compare(
  { by = 'processor time', ...about }: Comparison,
  ours: Side,
  theirs: Side,
  { seconds, warmUp, checkpoints }: Effort,
): Promise<Row> {
  for (const side of [ours, theirs]) await side.sample(Math.max(warmUp - side.processorTime(), warmUp / 4));
  const charged = new Map([ours, theirs].map((side) => [side, side.processorTime()]));
  async function take(side: Side): Promise<Sample> {
    const started = performance.now();
    const count = await side.sample(seconds);
    const elapsed = (performance.now() - started) / 1000;
    const used = side.processorTime();
    const cost = by === 'elapsed time' ? elapsed : used - (charged.get(side) as number);
    charged.set(side, used);
    return { cost: cost / count, rate: count / elapsed };
  }
  const samples: Array<[ours: Sample, theirs: Sample]> = [];
  const ratios: number[] = [];
  for (const checkpoint of checkpoints) {
    while (ratios.length < checkpoint) {
      const [a1, b1, b2, a2] = [await take(ours), await take(theirs), await take(theirs), await take(ours)];
      ratios.push((a1.cost + a2.cost) / (b1.cost + b2.cost));
      samples.push([a1, b1], [a2, b2]);
    }
    if (verdict(estimate(ratios), about.limit) !== 'undecided') break;
  }
  const figure = ({ name }: Side, at: 0 | 1) => {
    const own = samples.map((pair) => pair[at]);
    const microseconds = median(own.map(({ cost }) => cost)) * 1e6;
    const rate = median(own.map((each) => each.rate));
    return `${name} ${microseconds.toFixed(microseconds < 100 ? 1 : 0)} µs, ${Math.round(rate).toLocaleString('en')}/s`;
  };
  return {
    ...about,
    unit: '×',
    values: ratios,
    estimate: estimate(ratios),
    figures: [figure(ours, 0), figure(theirs, 1)],
  };
}

/** A measurement with an absolute limit; one value per round. */
export function absoluteRow(
  about: Pick<Row, 'what' | 'limit' | 'unit' | 'because'>,
  values: readonly number[],
): Row {
  return { ...about, values, estimate: estimate(values), figures: [] };
}
