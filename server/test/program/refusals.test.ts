import {
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, it } from 'vitest';
import { engines, temporaryFolder } from '../support/engines.ts';
import { type Ended, runProgram } from '../support/program.ts';

/** One line a person can act on, and nothing else. */
function expectRefusal(ended: Ended, code: number, line: RegExp): void {
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toMatch(/^petstore: [^\n]+\n$/);
  expect(ended.stderr).toMatch(line);
  expect(ended.stderr).not.toMatch(/\bat .*(\.ts|node:)/);
}

const serve = (...args: string[]) =>
  runProgram(['serve', '--port', '0', '--deployment', 'production', ...args]);

describe('exit code 2: a mistake on the command line', () => {
  it.each([
    ['an unknown flag', ['serve', '--colour'], /--colour/],
    ['an unknown command', ['dance'], /dance/],
    ['an argument', ['serve', 'now'], /now/],
    ['a port that is none', ['serve', '--port', 'http'], /--port.*http/],
    ['a port out of range', ['serve', '--port', '65536'], /--port/],
    ['a negative port', ['serve', '--port=-1'], /--port/],
    ['a port without a value', ['serve', '--port'], /--port/],
    ['another deployment', ['serve', '--deployment', 'test'], /production or staging/],
    ['a database without a deployment', ['serve', '--database', 'postgres://x/y'], /--deployment/],
    [
      'a database of another kind',
      ['serve', '--deployment', 'staging', '--database', 'mysql://x/y'],
      /postgres/,
    ],
    ['a rate limit of nothing', ['serve', '--rate-limit', '0'], /--rate-limit/],
    ['a rate limit that is none', ['serve', '--rate-limit', '1.5'], /--rate-limit/],
    ['a log level that is none', ['serve', '--log-level', 'loud'], /--log-level/],
    ['a value for a switch', ['serve', '--demo=maybe'], /--demo/],
    ['a flag of another command', ['serve', '--name', 'x'], /--name/],
  ])('%s', async (_, args, line) => {
    expectRefusal(await runProgram([...args, '--data', '/dev/null/nowhere']), 2, line);
  });

  it.each([
    ['PETSTORE_PORT', 'http'],
    ['PETSTORE_DEMO', 'maybe'],
    ['PETSTORE_DEPLOYMENT', 'test'],
    ['PETSTORE_RATE_LIMIT', '-1'],
  ])('a value of %s that is none', async (name, value) => {
    const ended = await runProgram(['serve', '--data', '/dev/null/nowhere'], { [name]: value });
    expectRefusal(ended, 2, new RegExp(value));
  });
});

describe('exit code 1: it cannot be done', () => {
  it('a port in use, production’s or staging’s', async () => {
    using folder = temporaryFolder();
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const own = await runProgram(['serve', '--data', folder.path, '--port', String(port)]);
      expectRefusal(own, 1, new RegExp(`port ${port} .*in use`));
      const next = await runProgram(['serve', '--data', folder.path, '--port', String(port - 1)]);
      expect([next.code, next.stderr]).toEqual([
        1,
        expect.stringMatching(/^petstore: port \d+ .*in use[^\n]*\n$/),
      ]);
    } finally {
      server.close();
    }
  });

  it('an address that is not of this machine', async () => {
    using folder = temporaryFolder();
    for (const host of ['203.0.113.7', 'no.such.host.invalid']) {
      expectRefusal(await serve('--data', folder.path, '--host', host), 1, /address/);
    }
  });

  it('a data folder that cannot be', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    for (const path of ['/dev/null/nowhere', file, join(file, 'below')]) {
      expectRefusal(await serve('--data', path), 1, /data folder/);
      const keys = await runProgram(['keys', 'create', '--deployment', 'production', '--data', path]);
      expectRefusal(keys, 1, /data folder/);
    }
  });

  it('a folder in place of the database', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'production.db'));
    expectRefusal(await serve('--data', folder.path), 1, /production\.db/);
  });

  describe('a damaged database', () => {
    const original = (async () => {
      const folder = temporaryFolder();
      await runProgram(['keys', 'create', '--deployment', 'production', '--data', folder.path]);
      return join(folder.path, 'production.db');
    })();

    it.each<[string, (path: string, size: number) => void]>([
      ['of garbage', (path, size) => writeFileSync(path, Buffer.alloc(size, 'garbage'))],
      ['of zeros', (path, size) => writeFileSync(path, Buffer.alloc(size))],
      ['with another text in its head', (path) => overwrite(path, 0, Buffer.from('Not a database. '))],
      ['cut in the middle', (path, size) => truncateSync(path, size / 2)],
      ['cut within a page', (path, size) => truncateSync(path, size - 1000)],
      ['cut after its first page', (path) => truncateSync(path, 4096)],
      ['cut within its head', (path) => truncateSync(path, 50)],
      ['overwritten in the middle', (path, size) => overwrite(path, size / 2, Buffer.alloc(8192, 0xff))],
      ['overwritten in its schema', (path) => overwrite(path, 100, Buffer.alloc(200, 0x5a))],
      ['with its last page lost', (path, size) => overwrite(path, size - 4096, Buffer.alloc(4096))],
    ])('%s', async (_, damage) => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'production.db');
      copyFileSync(await original, path);
      damage(path, readFileSync(path).length);
      const before = readFileSync(path);
      expectRefusal(await serve('--data', folder.path), 1, /production\.db.*(damaged|another program)/);
      expect(readFileSync(path).equals(before)).toBe(true);
    });
  });

  it('a database of another program, which stays as it is', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'production.db');
    using db = new DatabaseSync(path);
    db.exec('CREATE TABLE recipes (name TEXT)');
    expectRefusal(await serve('--data', folder.path), 1, /another program/);
    expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'recipes' }]);
  });

  it('no PostgreSQL there, a wrong password, a database that is not', async () => {
    const url = inject('postgresUrl');
    for (const database of [
      'postgres://petstore:secret@127.0.0.1:1/petstore',
      `${url.replace(':tests@', ':wrong@')}/postgres`,
      `${url}/no_such_database`,
      'postgres://no.such.host.invalid/petstore',
    ]) {
      const ended = await serve('--database', database);
      expectRefusal(ended, 1, /cannot connect to the database/);
      expect(ended.stderr).not.toMatch(/secret|wrong|:tests@/);
    }
  });

  it('a PostgreSQL database of another program, which stays as it is', async () => {
    const engine = engines[1] as (typeof engines)[number];
    await using database = await engine.create();
    await database.exec('CREATE TABLE orders (recipe TEXT)');
    expectRefusal(await runProgram(['serve', '--port', '0', ...database.flags]), 1, /./);
    const tables = await database.rows(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    expect(tables).toEqual([{ table_name: 'orders' }]);
  });
});

describe.each(engines)('a newer schema on $name', (engine) => {
  it('is refused, and stays as it is', async () => {
    await using database = await engine.create();
    await runProgram(['keys', 'create', ...database.flags]);
    if (database.engine === 'postgres') await database.exec('UPDATE petstore_schema SET version = 99');
    else await database.exec('PRAGMA user_version = 99');
    expectRefusal(await runProgram(['serve', '--port', '0', ...database.flags]), 1, /99.*newer/);
    expectRefusal(await runProgram(['keys', 'create', ...database.flags]), 1, /99.*newer/);
    expect(await database.rows('SELECT id FROM keys')).toHaveLength(1);
  });
});

function overwrite(path: string, at: number, bytes: Buffer): void {
  writeSync(openSync(path, 'r+'), bytes, 0, bytes.length, Math.floor(at));
}
