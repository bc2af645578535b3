import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeDateTime } from '../../src/http/encoding/date-time.ts';

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

it('writes every time in the years 0000 to 9999 as ISO 8601', () => {
  const asDateHasIt = (time: number) => {
    expect(writeDateTime(BigInt(time))).toBe(new Date(time).toISOString());
  };
  for (const time of [EARLIEST, -1, 0, 1, 86_399_999, 86_400_000, LATEST]) asDateHasIt(time);
  fc.assert(fc.property(fc.integer({ min: EARLIEST, max: LATEST }), asDateHasIt), { numRuns: 20_000 });
});
