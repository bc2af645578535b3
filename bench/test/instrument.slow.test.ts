import { describe, expect, it } from 'vitest';
import { encodeRequest, openSide } from '../src/load.ts';
import { compare } from '../src/measure/compare.ts';
import { estimate, moreRounds, verdict } from '../src/measure/interval.ts';
import { startBare } from '../src/subjects/bare.ts';

const effort = { seconds: 0.03, warmUp: 0.1, checkpoints: [8] };
const response = { status: 200, rawHeaders: ['content-length', '4'], body: Buffer.from('pets') };
/** Takes many times as long to hash as to respond. */
const WORK = 500_000;

describe('a comparison', () => {
  it('finds that a program costs as much as itself', async () => {
    const { median } = await compared(0, 0);
    expect(median).toBeGreaterThan(1 / 1.5);
    expect(median).toBeLessThan(1.5);
  });

  it('notices the side that does more, whichever it is', async () => {
    expect(verdict(await compared(WORK, 0), 2)).toBe('missed');
    expect(verdict(await compared(0, WORK), 0.5)).toBe('holds');
  });
});

describe('the verdict', () => {
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

  it('is undecided with too few rounds for an interval', () => {
    expect(verdict(estimate(range(1, 7)), 100)).toBe('undecided');
    expect(estimate(range(1, 8))).toEqual({ rounds: 8, median: 4.5, low: 1, high: 8 });
  });

  it('uses an interval that contains the median in 99 of 100 runs', () => {
    // From tables of the binomial distribution: the 4th of 20 values from either end, and the 38th of 100.
    expect(estimate(range(1, 20))).toMatchObject({ low: 4, high: 17 });
    expect(estimate(range(1, 100))).toMatchObject({ low: 37, high: 64 });
  });

  it('is decided only once the whole interval is on one side of the limit', () => {
    const values = [1000, ...range(1, 99)];
    expect(verdict(estimate(values), 64)).toBe('holds');
    expect(verdict(estimate(values), 36)).toBe('missed');
    expect(verdict(estimate(values), 55)).toBe('undecided');
  });

  it('estimates how many more rounds are needed', () => {
    const found = estimate(range(1, 100));
    expect(moreRounds(found, 63)).toBeLessThan(moreRounds(found, 55));
    expect(moreRounds(found, 55)).toBeGreaterThan(300);
  });
});

async function compared(ourWork: number, theirWork: number) {
  await using one = await startBare(response, ourWork);
  await using other = await startBare(response, theirWork);
  const request = encodeRequest('/');
  using ours = await openSide('ours', one, 200, () => request);
  using theirs = await openSide('theirs', other, 200, () => request);
  return (await compare({ what: 'control', limit: 1 }, ours, theirs, effort)).estimate;
}
