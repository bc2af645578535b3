import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../checks/src/engine/free-port.ts';
import { openProxy } from '../../checks/test/support/gateway/proxy.ts';
import { type Address, parseAddress, runAcceptance } from '../../server/test/support/acceptance.ts';
import { everyCase } from '../../server/test/support/effort.ts';
import { postgres, temporaryFolder } from '../../server/test/support/engines.ts';
import { runProgram, startProgram } from '../../server/test/support/program.ts';
import { buildPackages, type Packages } from '../src/build-packages.ts';
import { root } from '../src/bundle.ts';

const run = promisify(execFile);
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
let packages: Packages;
beforeAll(async () => {
  packages = await buildPackages(join(folder.path, 'dist'));
});

/** A user's project with only these packages, installed without a registry; created once. */
async function install(name: string, ...tarballs: string[]): Promise<string> {
  const project = join(folder.path, name);
  if (existsSync(project)) return project;
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: project });
  return project;
}

/** A file of an installed package. */
const installed = (project: string, path: string) => join(project, 'node_modules', path);

interface Kind {
  readonly kind: string;
  /** Differs from the bundle on the pinned Node, which other tests run. */
  readonly isOther: boolean;
  /** Installs the program as a user would, and returns how to run it. */
  place(): Promise<{ cwd: string; program: [string, ...string[]]; env?: Record<string, string> }>;
}

/** The pinned Node, and others given by the tester. */
const nodes = [process.execPath, ...(process.env.NODES?.split(':') ?? [])];

const kinds: Kind[] = [
  ...nodes.map((node, at) => ({
    kind: at === 0 ? 'the tarball' : `the tarball, run by ${node}`,
    isOther: at > 0,
    async place() {
      const cwd = await install(`program-${at}`, packages.program);
      const program: [string] = [installed(cwd, '.bin/petstore')];
      return { cwd, program, env: { PATH: `${dirname(node)}:${process.env.PATH}` } };
    },
  })),
  {
    kind: 'the executable, without other programs on PATH',
    isOther: true,
    async place() {
      const cwd = join(folder.path, 'alone');
      mkdirSync(cwd);
      copyFileSync(packages.executable, join(cwd, 'petstore'));
      return { cwd, program: [join(cwd, 'petstore')], env: { PATH: '' } };
    },
  },
];

/** Paths, and the built pages that they serve. */
const pages = {
  '/': 'landing.html',
  '/console': 'index.html',
  '/docs/': 'docs/v1.html',
  '/guides/errors': 'guides/errors.html',
};

describe.for(kinds)('$kind', ({ place, isOther }) => {
  let placed: Awaited<ReturnType<Kind['place']>>;
  beforeAll(async () => {
    placed = await place();
  });

  it('passes the acceptance suite, and serves console and reference', async () => {
    await using program = await startProgram(['--port', '0'], placed);
    const [production, staging] = program.lines.map(parseAddress) as [Address, Address];
    const flags = everyCase ? [] : ['--documented-only'];
    if (isOther)
      expect(await runAcceptance(production, staging, ...flags)).toMatch(/ checks passed, 0 failed/);
    for (const [path, file] of Object.entries(pages)) {
      const { status, text } = await program.request(`GET ${path}`);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(text === readFileSync(join(root, 'console/dist', file), 'utf8')).toBe(true);
    }
    expect((await program.request('GET /console/licences.txt')).text).toMatch(/^find-my-way .*MIT/m);
    expect(program.output.stderr).toBe('');

    const { key } = program;
    expect((await program.request('DELETE /v1/store/orders/2', { key })).status).toBe(204);
    await program.stop('SIGKILL');
    await using again = await startProgram(['--port', '0'], placed);
    await again.logged('database check passed');
    expect((await again.stop('SIGTERM')).code).toBe(0);
  });

  it('runs on PostgreSQL, and sends webhooks', async () => {
    await using database = await postgres.create('production');
    await using program = await startProgram(['--port', '0', ...database.flags], placed);
    const { request, key } = program;
    const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const received = once(receiver, 'request');
    const { port } = receiver.address() as AddressInfo;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/` });
    expect((await request('POST /v2/webhooks', { key, headers, body })).status).toBe(201);
    expect((await request('DELETE /v1/store/orders/2', { key })).status).toBe(204);
    const [delivery] = await received;
    expect(delivery.headers['webhook-signature']).toMatch(/^v1,/);
    receiver.closeAllConnections();
    receiver.close();
  });

  it('checks a service', async () => {
    await using program = await startProgram(['--port', '0', '--deployment', 'production'], placed);
    const { base, key } = parseAddress(program.lines[0]);
    const { code, stdout } = await runProgram(['check-service', '--url', base, '--key', key], placed);
    expect(stdout).toMatch(/\n(\d+) of \1 checks passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it('checks a gateway', async () => {
    const port = await freePort();
    await using proxy = await openProxy(port);
    const flags = ['--through', proxy.url, '--origin-port', String(port), '--only', 'query'];
    const { code, stdout } = await runProgram(['check-gateway', ...flags], placed);
    expect([code, stdout]).toEqual([0, 'PASS  forwards the query\n1 of 1 checks passed\n']);
  });

  it('runs a test suite against a planted bug', async () => {
    const suite = [process.execPath, join(root, 'checks/test/suites/shallow.js')];
    const args = ['check-suite', '--only', 'list-is-empty', '--', ...suite];
    const { code, stdout, stderr } = await runProgram(args, placed);
    expect({ code, stderr, score: stdout.split('\n').at(-2) }).toEqual({
      code: 0,
      stderr: '',
      score: '1 of 1 bugs noticed',
    });
  });

  it('runs a command next to a private service, and writes the service’s address to a file', async () => {
    const script = 'process.stdout.write(process.env.PETSTORE_URL); process.exit(3)';
    const ended = await runProgram(['run', '--', process.execPath, '-e', script], placed);
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringMatching(/^http:.*\/v1$/), stderr: '' });
    const file = join(placed.cwd, 'petstore.env');
    const args = ['--port', '0', '--deployment', 'staging', '--workers', '2', '--env-file', file];
    await using program = await startProgram(args, placed);
    expect(readFileSync(file, 'utf8')).toContain(`:${program.port}/v1\n`);
  });

  it('describes itself', async () => {
    expect(await runProgram(['--version'], placed)).toEqual({ code: 0, stdout: '1.0.0\n', stderr: '' });
    expect((await runProgram(['--help'], placed)).stdout).toContain('petstore serve');
  });
});

describe('the tarball', () => {
  it('is small and has no dependencies', async () => {
    expect(statSync(packages.program).size).toBeLessThan(15_000_000);
    const project = await install('program-0', packages.program);
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

describe('the packages for client developers', () => {
  it("the README's example test passes, and its types are found", async () => {
    const project = await install('own', packages.testing, packages.client);
    const readme = readFileSync(installed(project, '@petstore/testing/README.md'), 'utf8');
    const [, example = ''] = /^```js\n([\s\S]*?)^```/m.exec(readme) ?? [];
    writeFileSync(join(project, 'own.test.js'), example);
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter', 'tap'], { cwd: project });
    expect(stdout).toContain('# pass 2');

    writeFileSync(join(project, 'typed.ts'), typed);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const flags = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'esnext,dom',
      '--types',
      '',
    ];
    const { stdout: problems } = await run(process.execPath, [tsc, '--noEmit', ...flags, 'typed.ts'], {
      cwd: project,
    }).catch((error) => error);
    expect(problems).toBe('');
  });
});

const typed = `
import { createClient } from '@petstore/client';
import { type PetStore, NotFoundError, startPetStore } from '@petstore/testing';

await using store: PetStore = await startPetStore({ dataSet: 'large', orders: 100 });
const client = createClient({ baseUrl: store.url, key: store.key });
const order = await client.orders.get(1n).catch((error) => { if (!(error instanceof NotFoundError)) throw error; });
const id: bigint | undefined = order?.id;
await store.fail({ operation: 'v1.listPets', fault: 'drop', times: id === 1n ? null : 2 });
// @ts-expect-error there is no such data set
await store.reset({ dataSet: 'all' });
`;
