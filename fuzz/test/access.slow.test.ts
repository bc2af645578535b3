import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAddress } from '../../server/test/support/acceptance.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { startProgram, withQuickPasswords } from '../../server/test/support/program.ts';
import { formatPage } from '../src/walk/table.ts';
import { walk } from '../src/walk/walk.ts';

it('docs/appendix/ACCESS.md matches the service: npm run access regenerates it', async () => {
  using folder = temporaryFolder();
  await using program = await startProgram(['--port', '0', '--data', folder.path], withQuickPasswords);
  const deployments = ['production', 'staging'].map((name, at) => {
    const { base, key } = parseAddress(program.lines[at]);
    return { name, origin: new URL(base).origin, key };
  });
  const written = readFileSync(new URL('../../docs/appendix/ACCESS.md', import.meta.url), 'utf8');
  expect(formatPage(await walk({ deployments }))).toBe(written);
});
