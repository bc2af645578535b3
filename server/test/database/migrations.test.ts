import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations.ts';
import { openDeployment } from '../../src/open-deployment.ts';
import { engines, sqlite, type TestDatabase, temporaryFolder } from '../support/engines.ts';
import { runProgram, startProgram } from '../support/program.ts';
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

describe.each(engines)('migrations on $name', (engine) => {
  it('a second start finds everything as the first one left it', async () => {
    await using database = await engine.create();
    await open(database);
    const first = await schemaOf(database);
    await open(database);
    expect(await schemaOf(database)).toEqual(first);
  });

  it('many programs at once bring a new database to the schema, and each one’s work is there', async () => {
    await using database = await engine.create();
    const created = await Promise.all(
      Array.from({ length: 4 }, () => runProgram(['keys', 'create', ...database.flags])),
    );
    for (const { code, stderr } of created) expect([code, stderr]).toEqual([0, '']);
    await using program = await startProgram([...database.flags, '--port', '0']);
    for (const { stdout } of created) {
      expect((await program.request('GET /v1/pets', { key: stdout.trimEnd() })).status).toBe(200);
    }
  });

  it('a database of every earlier version comes to the same schema as a new one', async () => {
    await using fresh = await engine.create();
    await open(fresh);
    for (let version = 1; version < migrations.length; version++) {
      await using old = await engine.create();
      const statements = migrations.slice(0, version).flatMap((migration) => migration(engine.name));
      if (engine.name === 'sqlite') {
        await old.exec(statements.join(';'));
        await old.exec(`PRAGMA application_id = ${0x50455453}; PRAGMA user_version = ${version}`);
      } else {
        await old.exec([...statements, 'CREATE TABLE petstore_schema (version BIGINT NOT NULL)'].join(';'));
        await old.exec(`INSERT INTO petstore_schema VALUES (${version})`);
      }
      await open(old);
      expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
    }
  });

  it('a migration that fails leaves nothing behind', async () => {
    await using database = await engine.create();
    await open(database);
    const last =
      engine.name === 'sqlite' ? 'PRAGMA user_version = 0' : 'UPDATE petstore_schema SET version = 0';
    await database.exec(last);
    const before = await schemaOf(database);
    await expect(open(database)).rejects.toThrow();
    expect(await schemaOf(database)).toEqual(before);
  });
});

describe('SQLite', () => {
  it('an empty file is a new database', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'production.db'), '');
    const location = { deployments: ['production'], data: folder.path, database: undefined } as const;
    await using deployment = await openDeployment('production', { ...location, acceptUnsafe: false });
    expect(deployment.name).toBe('production');
    using db = new DatabaseSync(join(folder.path, 'production.db'));
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length });
  });

  it('keeps times, ids and texts in columns of their own type', async () => {
    await using service = await startService(sqlite);
    const { storeId } = await service.openStore();
    const insert = `INSERT INTO pets (store_id, id, name, category, stock, revision) VALUES (${storeId}, 99, 'x', 'y',`;
    await expect(service.database.exec(`${insert} 'many', 1)`)).rejects.toThrow();
    await service.database.exec('SELECT 1').catch(() => {});
    await expect(service.database.exec(`${insert} -1, 1)`)).rejects.toThrow();
  });
});
