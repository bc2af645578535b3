import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Addresses, accept, addressOf } from '../../server/test/support/acceptance.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { runProgram, startProgram } from '../../server/test/support/program.ts';
import { makePackages, type Packages } from '../src/make-packages.ts';

const run = promisify(execFile);
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
let packages: Packages;
beforeAll(async () => {
  packages = await makePackages(join(folder.path, 'dist'));
});

/** A project of somebody else, with nothing in it but these packages, for which no registry was asked. */
async function install(name: string, ...tarballs: string[]): Promise<string> {
  const project = join(folder.path, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: project });
  return project;
}

/** A file of the package that is installed there. */
const installed = (project: string, path: string) => join(project, 'node_modules', path);

interface Kind {
  readonly kind: string;
  /** Puts the program where somebody would, and says how it is run. */
  place(): Promise<{ cwd: string; program: [string, ...string[]]; env?: Record<string, string> }>;
}

const kinds: Kind[] = [
  {
    kind: 'the tarball',
    async place() {
      const cwd = await install('program', packages.program);
      return { cwd, program: [process.execPath, installed(cwd, 'petstore/dist/petstore.js')] };
    },
  },
  {
    kind: 'the executable, where no other program is found',
    async place() {
      const cwd = join(folder.path, 'alone');
      mkdirSync(cwd);
      copyFileSync(packages.executable, join(cwd, 'petstore'));
      return { cwd, program: [join(cwd, 'petstore')], env: { PATH: '' } };
    },
  },
];

describe.for(kinds)('$kind', ({ place }) => {
  let placed: Awaited<ReturnType<Kind['place']>>;
  beforeAll(async () => {
    placed = await place();
  });

  it('passes every acceptance check, and shows console and reference', async () => {
    await using program = await startProgram(['--port', '0'], placed);
    const [production, staging] = program.lines.map(addressOf) as [Addresses, Addresses];
    expect(await accept(production, staging)).toMatch(/\n\d{3} passed, 0 failed\n$/);
    const pages = { '/': 'Pet Store', '/console': 'script', '/docs/': 'scalar', '/docs/js/scalar.js': 'vue' };
    for (const [path, text] of Object.entries(pages)) {
      const answer = await program.request(`GET ${path}`);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(text);
    }
    expect((await program.request('GET /console/licences.txt')).text).toMatch(/^fastify .*MIT/m);
    expect(program.output.stderr).toBe('');

    await program.stop('SIGKILL');
    await using again = await startProgram(['--port', '0'], placed);
    await again.logged('the database was checked: it is whole');
    expect((await again.stop('SIGTERM')).code).toBe(0);
  });

  it('says what it is', async () => {
    expect(await runProgram(['--version'], placed)).toEqual({ code: 0, stdout: '1.0.0\n', stderr: '' });
    expect((await runProgram(['--help'], placed)).stdout).toContain('petstore serve');
  });
});

describe('the tarball', () => {
  it('is small, and needs no other package', async () => {
    expect(statSync(packages.program).size).toBeLessThan(15_000_000);
    const project = await install('size', packages.program);
    expect(readdirSync(installed(project, '.')).filter((name) => !name.startsWith('.'))).toEqual([
      'petstore',
    ]);
    const { dependencies, scripts } = JSON.parse(
      readFileSync(installed(project, 'petstore/package.json'), 'utf8'),
    );
    expect({ dependencies, scripts }).toEqual({});
    const { stdout } = await run(installed(project, '.bin/petstore'), ['--version']);
    expect(stdout).toBe('1.0.0\n');
  });
});
