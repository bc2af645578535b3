import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SUITES } from '../../server/test/support/effort.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { inheritedEnvironment } from '../../server/test/support/program.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const env = { ...inheritedEnvironment(), PETSTORE: join(root, 'cli/src/bin.js') };

interface Helper {
  readonly folder: string;
  readonly needs: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
  readonly prints: RegExp;
}

/** Maven downloads JUnit. The .NET helper has no test. */
const helpers: readonly Helper[] = [
  {
    folder: 'pytest',
    needs: ['python3', '-c', 'import pytest'],
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    prints: /^2 passed/m,
  },
  {
    folder: 'go',
    needs: ['go', 'version'],
    command: ['go', 'test', './...'],
    prints: /^ok/m,
  },
  {
    folder: 'junit',
    needs: SUITES === 'all' ? ['mvn', '--version'] : ['false'],
    command: ['mvn', '-B', 'test'],
    prints: /Tests run: 2, Failures: 0, Errors: 0, Skipped: 0/,
  },
];

describe('the helpers of examples/helpers', () => {
  it.for(helpers)('$folder: starts the service, runs the tests and stops it', async (helper, test) => {
    const [needed, ...flags] = helper.needs;
    if (!(await run(needed, flags).catch(() => undefined))) test.skip(`${needed} does not run here`);
    using folder = temporaryFolder();
    cpSync(join(root, 'examples/helpers', helper.folder), folder.path, { recursive: true });
    const [program, ...args] = helper.command;
    const { stdout } = await run(program, args, { cwd: folder.path, env });
    expect(stdout).toMatch(helper.prints);
  });
});
