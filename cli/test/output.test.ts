import { expect, it } from 'vitest';
import { testContext } from '../../server/test/support/command.ts';
import { Rows } from '../src/output.ts';

it('a table with any number of rows is as wide as its widest row', async () => {
  const { context, output } = testContext();
  const call = { ...context, args: [], values: {}, given: {} };
  const rows = new Rows<number>(
    [
      ['ID', (id) => id],
      ['AGAIN', (id) => id],
    ],
    call,
    'numbers',
  );
  await rows.write(Array.from({ length: 130_000 }, (_, at) => at));
  const lines = output.stdout.split('\n');
  expect(lines.slice(0, 2)).toEqual(['ID      AGAIN', '0       0']);
  expect(lines.at(-2)).toBe('129999  129999');
});
