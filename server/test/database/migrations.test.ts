import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { type Migration, migrations, schemaVersion } from '../../src/database/migrations.ts';
import { preparePostgres } from '../../src/database/prepare-postgres.ts';
import { prepareSqlite } from '../../src/database/prepare-sqlite.ts';
import { runCommand } from '../support/command.ts';
import { engines, sqlite, type TestDatabase, temporaryFolder } from '../support/engines.ts';
import { runProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';

/** The schema as the database itself describes it. */
async function schemaOf(database: TestDatabase): Promise<unknown> {
  if (database.engine === 'sqlite') {
    const version = await database.rows('PRAGMA user_version');
    return [version, await database.rows('SELECT type, name, sql FROM sqlite_schema ORDER BY name')];
  }
  return [
    await database.rows('SELECT version FROM petstore_schema'),
    await database.rows(
      `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
       WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
    ),
    await database.rows("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname"),
  ];
}

async function open(database: TestDatabase): Promise<void> {
  await using _ = await openDeployment('production', database.location);
}

async function prepare({ location }: TestDatabase, known: readonly Migration[]): Promise<void> {
  if (location.database === undefined) prepareSqlite(join(location.data, 'production.db'), known);
  else await preparePostgres(location.database, false, known);
}

async function versionOf({ engine, rows }: TestDatabase): Promise<unknown> {
  const [row] = await rows(
    engine === 'sqlite' ? 'PRAGMA user_version' : 'SELECT version FROM petstore_schema',
  );
  return Object.values(row ?? {})[0];
}

function setVersion(engine: 'sqlite' | 'postgres', version: number): string {
  return engine === 'sqlite'
    ? `PRAGMA user_version = ${version}`
    : `UPDATE petstore_schema SET version = ${version}`;
}

describe.each(engines)('migrations on $name', (engine) => {
  it('change nothing on a second start', async () => {
    await using database = await engine.create();
    await open(database);
    const first = await schemaOf(database);
    await open(database);
    expect(await schemaOf(database)).toEqual(first);
  });

  it('by several programs at the same time create the schema once, and each program’s changes survive', async () => {
    await using database = await engine.create();
    const created = await Promise.all(
      Array.from({ length: 4 }, () => runProgram(['keys', 'create', ...database.flags])),
    );
    for (const { code, stderr } of created) expect([code, stderr]).toEqual([0, '']);
    await using service = await startService(engine, { database });
    for (const { stdout } of created) {
      expect((await service.request('GET /v1/pets', { key: stdout.trimEnd() })).status).toBe(200);
    }
  });

  it('upgrade a database step by step from any version, keeping its data', async () => {
    await using database = await engine.create();
    await open(database);
    await database.exec("INSERT INTO secrets VALUES ('kept', 'as it was')");
    const newer = (version: number, statement: string): Migration => ({
      version,
      statements: () => [statement],
    });
    const known = [
      ...migrations,
      newer(schemaVersion + 1, 'CREATE TABLE notes (id INTEGER)'),
      newer(schemaVersion + 2, 'ALTER TABLE notes ADD COLUMN text TEXT'),
    ];
    await prepare(database, known);
    await prepare(database, known);
    expect(await versionOf(database)).toBe(BigInt(schemaVersion + 2));
    expect(await database.rows('SELECT id, text FROM notes')).toEqual([]);
    expect(await database.rows("SELECT value FROM secrets WHERE name = 'kept'")).toEqual([
      { value: 'as it was' },
    ]);
  });

  it.each([1, 2, 3, 4])(
    'reject version %i, which was never released, and change nothing',
    async (version) => {
      await using database = await engine.create();
      await database.exec(
        engine.name === 'sqlite'
          ? `PRAGMA application_id = ${0x50455453}; CREATE TABLE stores (id INTEGER)`
          : 'CREATE TABLE petstore_schema (version BIGINT NOT NULL); INSERT INTO petstore_schema VALUES (0); CREATE TABLE stores (id BIGINT)',
      );
      await database.exec(setVersion(engine.name, version));
      const before = await schemaOf(database);
      const { code, stdout, stderr } = await runCommand(['keys', 'create', ...database.flags]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        new RegExp(
          `^petstore: the database .*has schema version ${version}, which was never released: [^\n]+\n$`,
        ),
      );
      expect(await schemaOf(database)).toEqual(before);
    },
  );

  it('upgrade a database of version 6, keeping its data', async () => {
    await using database = await engine.create();
    await prepare(
      database,
      migrations.filter(({ version }) => version <= 6),
    );
    const day = 86_400_000;
    // Two of one week, and one that ships before 1970 began, on a Sunday.
    const orders = [
      [1, 'pending', 11 * day],
      [2, 'shipped', 17 * day],
      [3, 'pending', -4 * day],
    ];
    const kept = `1234 {"order":{"id":"1n"}}`;
    await database.exec(`
      INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at) VALUES (7, 3, 4, 2, 0);
      INSERT INTO pets (store_id, id, name, category, stock, supplied, revision, sum) VALUES (7, 1, 'Rex', 'dog', 5, 8, 1, 99);
      INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision, sum)
      VALUES ${orders.map(([id, status, date]) => `(7, ${id}, 1, 1, ${date}, '${status}', 0, 0, ${id}, 99)`)};
      INSERT INTO idempotency (store_id, key, fingerprint, answer, number, expires_at) VALUES (7, 'once', 'x', '${kept}', 1, 9);
      INSERT INTO secrets VALUES ('seal', 'kept'), ('work: pruning', 'gone'), ('trial', 'gone')`);
    await prepare(database, migrations);
    const counts = await database.rows('SELECT week, status, count FROM order_counts ORDER BY week, status');
    expect(counts.map(({ week, status, count }) => [Number(week) / day, status, count])).toEqual([
      [-1_399_996, 'pending', 2n],
      [-1_399_996, 'shipped', 1n],
      [-10, 'pending', 1n],
      [11, 'pending', 1n],
      [11, 'shipped', 1n],
    ]);
    expect(await database.rows('SELECT answer FROM idempotency')).toEqual([
      { answer: '{"order":{"id":"1n"}}' },
    ]);
    expect(await database.rows('SELECT name FROM secrets')).toEqual([{ name: 'seal' }]);
    const { stdout } = await runCommand(['check', ...database.flags]);
    expect(stdout).toContain('\norder counts: ok\n');
    await using again = await engine.create();
    await open(again);
    expect(await schemaOf(database)).toEqual(await schemaOf(again));
  });

  it('reject a database without the columns of its version, and change nothing', async () => {
    await using database = await engine.create();
    await prepare(database, migrations.slice(0, 1));
    await database.exec('ALTER TABLE orders DROP COLUMN sum');
    const before = await schemaOf(database);
    await expect(open(database)).rejects.toThrow(/has schema version 5, but lacks orders\.sum/);
    expect(await schemaOf(database)).toEqual(before);
  });

  it('leave nothing behind if one fails', async () => {
    await using database = await engine.create();
    await open(database);
    await database.exec(setVersion(engine.name, 0));
    const before = await schemaOf(database);
    await expect(open(database)).rejects.toThrow();
    expect(await schemaOf(database)).toEqual(before);
  });
});

describe('SQLite', () => {
  it('treats an empty file as a new database', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'production.db'), '');
    const location = { deployments: ['production'], data: folder.path, database: undefined } as const;
    await using deployment = await openDeployment('production', { ...location, acceptUnsafe: false });
    expect(deployment.name).toBe('production');
    using db = new DatabaseSync(join(folder.path, 'production.db'));
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: schemaVersion });
  });

  it('stores times, IDs and texts in columns of their own type', async () => {
    await using service = await startService(sqlite);
    const { storeId } = await service.openStore();
    const insert = `INSERT INTO pets (store_id, id, name, category, stock, revision) VALUES (${storeId}, 99, 'x', 'y',`;
    await expect(service.database.exec(`${insert} 'many', 1)`)).rejects.toThrow('cannot store TEXT');
    await expect(service.database.exec(`${insert} -1, 1)`)).rejects.toThrow('CHECK constraint failed');
  });
});
