import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { spawnProgram } from '../../server/test/support/program.ts';
import { catalogue } from '../src/bugs/catalogue.ts';

it('shows that the final example suite notices every bug', async () => {
  const suite = fileURLToPath(new URL('../../examples/suite/9-security.js', import.meta.url));
  const args = ['check-suite', '--json', '--timeout', '120', '--', process.execPath, suite];
  const { code, stdout } = await spawnProgram(args).ended;
  const { bugs } = JSON.parse(stdout) as { bugs: { id: string; noticed: boolean }[] };
  expect(bugs.filter(({ noticed }) => !noticed).map(({ id }) => id)).toEqual([]);
  expect([code, bugs.length]).toEqual([0, catalogue.length]);
});
