import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedRow } from '../../../src/http/lists/segment.ts';
import { WholeList } from '../../../src/http/lists/whole-list.ts';
import { tries } from '../../support/effort.ts';

const textOf = (list: WholeList) =>
  `[${Buffer.concat(list.segments().map(({ bytes }) => bytes))
    .toString()
    .slice(1)}]`;
const ascending = (rows: Iterable<ListedRow>) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  // Looks like the start of the next row, and is none.
  fc.constantFrom(',{"id":', '"},{"id":7,', '\\",{"id":8,"'),
);

/** A text that tells rows and versions apart, of one to several bytes a character. */
const row = (ids: fc.Arbitrary<bigint>) => fc.record({ id: ids, text: fc.option(texts, { nil: undefined }) });
const patches = (ids: fc.Arbitrary<bigint>) =>
  fc.array(fc.uniqueArray(row(ids), { selector: ({ id }) => id, maxLength: 12 }), { maxLength: 12 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe.each([1, 2, 3, 512])('a list of segments of %d rows', (segmentSize) => {
  it.each([
    ['close together', fc.bigInt({ min: 0n, max: 30n })],
    ['anywhere', int64],
  ])('says what a plain map would say, after any patches with ids %s', (_, ids) => {
    fc.assert(
      fc.property(patches(ids), (patches) => {
        const model = new Map<bigint, string>();
        let list = new WholeList(0n, []);
        for (const [i, changes] of patches.entries()) {
          for (const { id, text } of changes) {
            if (text === undefined) model.delete(id);
            else model.set(id, `{"id":${id},"text":${JSON.stringify(text)}}`);
          }
          const before = textOf(list);
          const listed = changes.map(({ id }) => ({ id, text: model.get(id) }));
          const next = list.patched(BigInt(i + 1), ascending(listed), segmentSize);
          const rows = ascending(Array.from(model, ([id, text]) => ({ id, text })));
          expect(textOf(next)).toBe(`[${rows.map(({ text }) => text).join(',')}]`);
          expect(next.length).toBe(Buffer.byteLength(textOf(next)));
          expect(next.revision).toBe(BigInt(i + 1));
          expect(textOf(list)).toBe(before);
          let count = 0;
          for (const segment of next.segments()) {
            count += segment.count;
            expect(segment.count).toBeGreaterThan(0);
            expect(segment.count).toBeLessThanOrEqual(2 * segmentSize);
            expect(segment.last).toBe(rows[count - 1]?.id);
          }
          expect(count).toBe(rows.length);
          list = next;
        }
      }),
      tries(150),
    );
  });
});

describe('an list', () => {
  it('shares every segment that a patch does not touch', () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ id: BigInt(i), text: `{"id":${i},"x":0}` }));
    const list = new WholeList(1n, []).patched(2n, rows, 10);
    const next = list.patched(3n, [{ id: 55n, text: undefined }], 10);
    const changed = next.segments().filter((segment) => !list.segments().includes(segment));
    expect(changed).toHaveLength(1);
  });
});
