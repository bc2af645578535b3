import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { Rows } from '../src/output.ts';

it('a table is as wide as its widest row, however many there are', async () => {
  let written = '';
  const stdout = new Writable({
    write(text, _, done) {
      written += text;
      done();
    },
  });
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as typeof process.stdout);
  const call = { args: [], values: {}, given: {}, env: {} };
  const rows = new Rows<number>(
    [
      ['ID', (id) => id],
      ['AGAIN', (id) => id],
    ],
    call,
  );
  await rows.write(Array.from({ length: 130_000 }, (_, at) => at)).finally(() => vi.restoreAllMocks());
  const lines = written.split('\n');
  expect(lines.slice(0, 2)).toEqual(['ID      AGAIN', '0       0']);
  expect(lines.at(-2)).toBe('129999  129999');
});
