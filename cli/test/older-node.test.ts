import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The machine's Node, ignoring the one that npm installed next to the program. */
const paths = process.env.PATH?.split(':').filter((path) => !path.includes('node_modules')) ?? [];
const env = { PATH: paths.join(':') };
const { stdout } = spawnSync('node', ['-p', 'process.versions.node'], { env, encoding: 'utf8' });

it.skipIf(!stdout || Number.parseInt(stdout, 10) >= 24)(
  'an older Node gets one line with the required version',
  async () => {
    const program = fileURLToPath(new URL('../src/bin.js', import.meta.url));
    const rejected = await promisify(execFile)(program, ['--version'], { env }).catch((error) => error);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/^petstore: [^\n]*Node 24\.4 or newer[^\n]*: export PATH="[^\n]*"\n$/);
    const [, nodeFolder] = rejected.stderr.match(/export PATH="(.*):\$PATH"/);
    const fixed = { PATH: `${nodeFolder}:${env.PATH}` };
    const { stdout } = await promisify(execFile)(program, ['--version'], { env: fixed });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
);
