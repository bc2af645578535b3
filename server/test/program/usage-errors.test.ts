import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { run } from '../../../cli/src/program.ts';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { UsageError } from '../../src/config/usage-error.ts';
import { UnusableDatabase } from '../../src/database/engine.ts';
import { runCommand, testContext } from '../support/command.ts';
import { processes } from '../support/effort.ts';
import { engines, postgres, temporaryFolder } from '../support/engines.ts';
import { type Ended, main, runProgram, startProgram } from '../support/program.ts';
import { mayMount, smallDisk } from '../support/small-disk.ts';

/** One line a person can act on, and nothing else. */
function expectDomainError(ended: Ended, code: number, line: RegExp): void {
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toMatch(/^petstore: [^\n]+\n$/);
  expect(ended.stderr).toMatch(line);
  expect(ended.stderr).not.toMatch(/\bat .*(\.[jt]s|node:)/);
}

const serve = (...args: string[]) =>
  runProgram(['serve', '--port', '0', '--deployment', 'production', ...args]);

/** A command that opens a database as `serve` does. */
const createKey = (...args: string[]) =>
  runCommand(['keys', 'create', '--deployment', 'production', ...args]);

const mistakes: ReadonlyArray<[name: string, args: string[], line: RegExp, env?: NodeJS.ProcessEnv]> = [
  ['an unknown flag', ['--colour'], /--colour/],
  ['a mistyped flag, with a hint', ['--prot', '1'], /--prot.*--port/],
  ['a flag in place of a value', ['--data', '--demo'], /--data needs a value/],
  ['a port that is none', ['--port', 'http'], /--port.*http/],
  ['a port out of range', ['--port', '65536'], /--port/],
  ['a negative port', ['--port=-1'], /--port/],
  ['a port without a value', ['--port'], /--port/],
  ['another deployment', ['--deployment', 'test'], /production or staging/],
  ['a database without a deployment', ['--database', 'postgres://x/y'], /--deployment/],
  ['a database of another kind', ['--deployment', 'staging', '--database', 'mysql://x/y'], /postgres/],
  ...['p/w', 'p@s/w', 'p?w', 'p#w'].map((password): [string, string[], RegExp] => [
    `a database password that is not escaped: ${password}`,
    ['--deployment', 'staging', '--database', `postgres://pets:${password}@db/petstore`],
    /write \/ as %2F/,
  ]),
  ['a rate limit of nothing', ['--rate-limit', '0'], /--rate-limit/],
  ['a rate limit that is none', ['--rate-limit', '1.5'], /--rate-limit/],
  ['a log level that is none', ['--log-level', 'loud'], /--log-level/],
  ['a log format that is none', ['--log-format', 'xml'], /--log-format.*json or pretty/],
  ['a value for a switch', ['--demo=maybe'], /--demo/],
  ['a flag of another command', ['--name', 'x'], /--name/],
  ['a port in the environment that is none', [], /http/, { PETSTORE_PORT: 'http' }],
  ['a switch in the environment that is none', [], /PETSTORE_DEMO.*maybe/, { PETSTORE_DEMO: 'maybe' }],
  ['the same for its negation', [], /PETSTORE_NO_DEMO.*maybe/, { PETSTORE_NO_DEMO: 'maybe' }],
  [
    'a switch given as both',
    [],
    /PETSTORE_DEMO and PETSTORE_NO_DEMO/,
    { PETSTORE_DEMO: 'true', PETSTORE_NO_DEMO: 'true' },
  ],
  [
    'a secret file that is not there',
    ['--deployment', 'staging'],
    /cannot read PETSTORE_DATABASE_FILE '\/no\/file'/,
    { PETSTORE_DATABASE_FILE: '/no/file' },
  ],
  [
    'a secret given twice',
    ['--deployment', 'staging'],
    /PETSTORE_DATABASE and PETSTORE_DATABASE_FILE/,
    { PETSTORE_DATABASE_FILE: '/no/file', PETSTORE_DATABASE: 'postgres://db/petstore' },
  ],
  ['a deployment in the environment that is none', [], /test/, { PETSTORE_DEPLOYMENT: 'test' }],
];

describe('exit code 2: usage errors', () => {
  it.each(mistakes)('%s is reported in one line', async (_, args, line, env = {}) => {
    const read = run(['serve', ...args], { ...testContext().context, env });
    await expect(read).rejects.toThrow(UsageError);
    await expect(read).rejects.toThrow(line);
    await expect(read).rejects.not.toThrow(/\n/);
  });

  it.each([
    ['an unknown action', ['keys', 'destroy', '--deployment', 'staging'], /destroy/],
    ['an unknown command', ['dance'], /dance/],
    ['the help of one', ['help', 'dance'], /unknown command 'dance'; run/],
    ['a command without its group', ['faults', 'arm'], /Did you mean petstore sandbox faults/],
    ['an argument', ['serve', 'now'], /now/],
  ])('%s', async (_, args, line) => {
    expectDomainError(await runCommand(args), 2, line);
  });

  it('an error in the environment', async () => {
    expectDomainError(await runCommand(['serve'], { env: { PETSTORE_PORT: 'http' } }), 2, /http/);
  });
});

describe('exit code 1: runtime errors', () => {
  it('a port in use, production’s or staging’s', async () => {
    using folder = temporaryFolder();
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const own = await runProgram(['serve', '--data', folder.path, '--port', String(port)]);
      expectDomainError(own, 1, new RegExp(`port ${port} \\(production\\) .*in use; .* such as --port`));
      const env = { npm_lifecycle_event: 'start' };
      const next = await runProgram(['serve', '--data', folder.path, '--port', String(port - 1)], { env });
      expect([next.code, next.stderr]).toEqual([
        1,
        expect.stringMatching(/^petstore: port \d+ \(.*in use; .* such as npm start -- --port 9000\n$/),
      ]);
    } finally {
      server.close();
    }
  });

  it('an address of another machine', async () => {
    using folder = temporaryFolder();
    const output = /cannot listen on (203\.0\.113\.7|no\.such\.host\.invalid): /;
    for (const host of ['203.0.113.7', 'no.such.host.invalid'])
      expectDomainError(await serve('--data', folder.path, '--host', host), 1, output);
  });

  it('an impossible data folder', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expectDomainError(await serve('--data', '/dev/null/nowhere'), 1, /data folder/);
    for (const data of ['/proc/nowhere/below', file, join(file, 'below')])
      expectDomainError(await createKey('--data', data), 1, new RegExp(`data folder ${data}`));
  });

  it.runIf(mayMount)('a full disk', async () => {
    using disk = smallDisk('64k');
    for (const room of [0, 4096, 16_384]) {
      writeFileSync(join(disk.path, 'filling'), Buffer.alloc(65_536 - room));
      expectDomainError(
        await createKey('--data', disk.path),
        1,
        /production\.db is unavailable: its disk is full/,
      );
      for (const name of readdirSync(disk.path)) rmSync(join(disk.path, name));
    }
  });

  it.each(processes('2'))('a missing part of the program: %s processes', async (workers) => {
    using folder = temporaryFolder();
    await (await startProgram(['--port', '0', '--data', folder.path])).stop('SIGTERM');
    const program = join(folder.path, 'program');
    cpSync(dirname(main), program, { recursive: true });
    writeFileSync(join(program, 'package.json'), '{"type":"module"}');
    for (const name of readdirSync(program)) if (name.includes('writer-thread')) rmSync(join(program, name));
    const ended = await runProgram(['serve', '--port', '0', '--data', folder.path, '--workers', workers], {
      program: [process.execPath, '--', join(program, 'main.js')],
    });
    expectDomainError(ended, 1, /is not writable: .*sqlite-writer-thread/);
  });

  it('a folder in place of the database', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'production.db'));
    expectDomainError(await createKey('--data', folder.path), 1, /production\.db/);
  });

  describe('a damaged database', () => {
    let whole: ReturnType<typeof temporaryFolder>;
    beforeAll(async () => {
      whole = temporaryFolder();
      await runCommand(['keys', 'create', '--deployment', 'production', '--data', whole.path]);
    });
    afterAll(() => whole[Symbol.dispose]());

    it.each<[string, (path: string, size: number) => void]>([
      ['of garbage', (path, size) => writeFileSync(path, Buffer.alloc(size, 'garbage'))],
      ['of zeros', (path, size) => writeFileSync(path, Buffer.alloc(size))],
      ['with another text in its head', (path) => overwrite(path, 0, Buffer.from('Not a database. '))],
      ['cut in the middle', (path, size) => truncateSync(path, size / 2)],
      ['cut within a page', (path, size) => truncateSync(path, size - 6000)],
      ['cut after its first page', (path) => truncateSync(path, 4096)],
      ['cut within its head', (path) => truncateSync(path, 50)],
      ['overwritten in the middle', (path, size) => overwrite(path, size / 2, Buffer.alloc(8192, 0xff))],
      ['overwritten in its schema', (path) => overwrite(path, 100, Buffer.alloc(200, 0x5a))],
      ['with its last page lost', (path, size) => overwrite(path, size - 4096, Buffer.alloc(4096))],
    ])('%s', async (_, damage) => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'production.db');
      copyFileSync(join(whole.path, 'production.db'), path);
      damage(path, readFileSync(path).length);
      const before = readFileSync(path);
      const location = { deployments: ['production'], data: folder.path, database: undefined } as const;
      const opening = openDeployment('production', { ...location, acceptUnsafe: false });
      await expect(opening).rejects.toThrow(UnusableDatabase);
      await expect(opening).rejects.toThrow(/production\.db.*(damaged|another program)/);
      await expect(opening).rejects.not.toThrow(/\n/);
      expect(readFileSync(path).equals(before)).toBe(true);
    });

    it('is reported in one line', async () => {
      using folder = temporaryFolder();
      writeFileSync(join(folder.path, 'production.db'), Buffer.alloc(20_000, 'garbage'));
      expectDomainError(await createKey('--data', folder.path), 1, /production\.db is damaged/);
    });
  });

  it('another program’s database, which stays unchanged', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'production.db');
    using db = new DatabaseSync(path);
    db.exec('CREATE TABLE recipes (name TEXT)');
    expectDomainError(await createKey('--data', folder.path), 1, /another program/);
    expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'recipes' }]);
  });

  it('no PostgreSQL, a wrong password, a missing database', async () => {
    const url = inject('postgresUrl');
    for (const database of [
      'postgres://petstore:secret@127.0.0.1:1/petstore',
      `${url.replace(':tests@', ':wrong@')}/postgres`,
      `${url}/no_such_database`,
      'postgres://no.such.host.invalid/petstore',
    ]) {
      const ended = await createKey('--database', database);
      expectDomainError(ended, 1, /cannot connect to the database/);
      expect(ended.stderr).not.toMatch(/secret|wrong|:tests@/);
    }
  });

  it('another program’s PostgreSQL database, which stays unchanged', async () => {
    await using database = await postgres.create();
    await database.exec('CREATE TABLE orders (recipe TEXT)');
    expectDomainError(await createKey(...database.flags.slice(2)), 1, /./);
    const tables = await database.rows(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    expect(tables).toEqual([{ table_name: 'orders' }]);
  });
});

describe.each(engines)('a newer schema on $name', (engine) => {
  it('is rejected and stays unchanged', async () => {
    await using database = await engine.create();
    await runCommand(['keys', 'create', ...database.flags]);
    if (database.engine === 'postgres') await database.exec('UPDATE petstore_schema SET version = 99');
    else await database.exec('PRAGMA user_version = 99');
    expectDomainError(await runCommand(['keys', 'create', ...database.flags]), 1, /99.*newer/);
    expect(await database.rows('SELECT id FROM keys')).toHaveLength(1);
  });
});

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, Math.floor(at));
  closeSync(file);
}
