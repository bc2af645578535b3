import { setTimeout as pause } from 'node:timers/promises';
import { type Estimate, estimate, median, verdict } from './interval.ts';

export interface Effort {
  /** Processor time of one turn, in seconds, and of the first, which does not count: so a turn is as precise on a busy machine. */
  readonly seconds: number;
  readonly warmUp: number;
  /** After so many rounds, a row that is decided ends. */
  readonly looks: readonly number[];
}

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  /** Sends requests until the process has used so many seconds of processor time; returns how many. */
  turn(seconds: number): Promise<number>;
  /** What the process has used so far. */
  processorTime(): number;
}

/** A measurement with the limit for its median. */
export interface Row {
  readonly what: string;
  readonly limit: number;
  readonly unit: '×' | 'ms' | 'MB' | 's';
  readonly estimate: Estimate;
  readonly values: readonly number[];
  /** For information: medians of each side. */
  readonly figures: readonly string[];
  /** Why it is missed, if it is. */
  readonly because?: string;
}

interface Turn {
  readonly cost: number;
  readonly rate: number;
}

interface Comparison {
  readonly what: string;
  readonly limit: number;
  readonly because?: string;
  /** What is compared, per request. Elapsed time only where waiting for the disk is the point. */
  readonly by?: 'processor time' | 'elapsed time';
}

/**
 * The cost per request of one side as a multiple of the other's. Each round is A B B A in short turns, so that whatever else
 * the machine does affects both sides; it gives one ratio.
 */
export async function compare(
  { by = 'processor time', ...about }: Comparison,
  ours: Side,
  theirs: Side,
  { seconds, warmUp, looks }: Effort,
): Promise<Row> {
  const take = (side: Side) => turn(side, seconds, by);
  for (const side of [ours, theirs]) await turn(side, warmUp, by);
  const [all, values]: [Array<[Turn, Turn]>, number[]] = [[], []];
  for (const look of looks) {
    while (values.length < look) {
      const [a1, b1, b2, a2] = [await take(ours), await take(theirs), await take(theirs), await take(ours)];
      values.push((a1.cost + a2.cost) / (b1.cost + b2.cost));
      all.push([a1, b1], [a2, b2]);
    }
    if (verdict(estimate(values), about.limit) !== 'undecided') break;
  }
  const figure = ({ name }: Side, at: 0 | 1) => {
    const turns = all.map((pair) => pair[at]);
    const microseconds = median(turns.map(({ cost }) => cost)) * 1e6;
    const rate = median(turns.map((each) => each.rate));
    return `${name} ${microseconds.toFixed(microseconds < 100 ? 1 : 0)} µs, ${Math.round(rate).toLocaleString('en')}/s`;
  };
  return {
    ...about,
    unit: '×',
    values,
    estimate: estimate(values),
    figures: [figure(ours, 0), figure(theirs, 1)],
  };
}

/** Long enough for what a process does after its last response, such as writing its log. */
const SETTLE_MS = 15;

async function turn(side: Side, seconds: number, by: Comparison['by']): Promise<Turn> {
  const [started, used] = [performance.now(), side.processorTime()];
  const count = await side.turn(seconds);
  const elapsed = (performance.now() - started) / 1000;
  await pause(SETTLE_MS);
  const cost = by === 'elapsed time' ? elapsed : side.processorTime() - used;
  return { cost: cost / count, rate: count / elapsed };
}

/** A figure with an absolute limit, measured again in each round. */
export function absolute(
  about: Pick<Row, 'what' | 'limit' | 'unit' | 'because'>,
  values: readonly number[],
): Row {
  return { ...about, values, estimate: estimate(values), figures: [] };
}
