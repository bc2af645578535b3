import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { identityOf } from '../../src/database/database-files.ts';
import { Unavailable } from '../../src/database/engine.ts';
import { query } from '../../src/database/query.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import { DomainError } from '../../src/domain/domain-error.ts';
import { runCommand } from '../support/command.ts';
import { sqlite } from '../support/engines.ts';
import { patchFiles } from '../support/failing-calls.ts';
import { insertPet } from '../support/pets.ts';
import { main } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { slowIt } from '../support/slow-it.ts';
import { withTimeouts } from '../support/with-timeouts.ts';

const MEGABYTE = 1024 * 1024;
const anyStore = query((db, _: Record<never, never>) => db.selectFrom('stores').select('id'));

it('a snapshot that blocks a WAL restart is aborted, and the WAL shrinks', async () => {
  await using service = await startService(sqlite);
  const { database } = service;
  const path = join(database.location.data, 'production.db');
  const logSize = () => statSync(`${path}-wal`).size;
  await service.openStore();
  const db = openSqlite(path, identityOf(path), { maxWalBytes: 80 * MEGABYTE });

  await using snapshot = await db.snapshot();
  const read = () => snapshot.all(anyStore, {});
  const before = await read();
  await database.exec('CREATE TABLE filling (bytes BLOB)');
  for (let i = 0; i < 10; i++)
    await database.exec(`INSERT INTO filling VALUES (randomblob(${10 * MEGABYTE}))`);
  // The snapshot keeps the WAL from shrinking until it is aborted.
  expect(logSize()).toBeGreaterThan(80 * MEGABYTE);
  await expect.poll(() => read().catch((error: unknown) => error)).toBeInstanceOf(Unavailable);
  expect(before).toHaveLength(1);

  for (let i = 0; i < 3; i++) await service.openStore();
  expect(logSize()).toBeLessThanOrEqual(65 * MEGABYTE);
  await db.close();
});

slowIt('an unread export is aborted and does not block a WAL restart', async () => {
  await using database = await sqlite.create();
  await runCommand(['seed', '--orders', '20000', ...database.flags]);
  await database.exec('CREATE TABLE filling (bytes BLOB)');
  const log = join(database.location.data, 'production.db-wal');
  const child = spawn(process.execPath, [main, 'export', ...database.flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stderr = text(child.stderr);
  await once(child.stdout, 'readable');
  // SQLite ignores what is not written to it yet.
  truncateSync(log, 257 * MEGABYTE);
  const [code] = await once(child, 'exit');
  expect([code, await stderr]).toEqual([
    1,
    expect.stringMatching(/^petstore: export aborted and incomplete: .*\n$/),
  ]);
});

it('under sequential changes, checkpoints are small steps that delay no change', async () => {
  await using service = await startService(sqlite);
  const { storeId } = await service.openStore();
  const { writer } = service.deployment;
  for (let i = 0; i < 600; i++) await insertPet(writer, storeId);
  const path = join(service.database.location.data, 'production.db');
  // Left to grow, it has three times as much by now.
  expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(8 * MEGABYTE);
});

it('at most eight snapshots are open: the next one waits, until a timeout', async () => {
  await using service = await startService(sqlite);
  const path = join(service.database.location.data, 'production.db');
  const db = openSqlite(path, identityOf(path));
  const open = await Promise.all(Array.from({ length: 8 }, () => db.snapshot()));
  {
    using _ = withTimeouts({ acquireTimeoutMs: 1 });
    await expect(db.snapshot()).rejects.toThrow(DomainError);
  }
  const waiting = db.snapshot();
  await open.pop()?.[Symbol.asyncDispose]();
  open.push(await waiting);
  await Promise.all(open.map((snapshot) => snapshot[Symbol.asyncDispose]()));
  await db.close();
});

it('an unreadable WAL ends neither a snapshot nor the program', async () => {
  await using database = await sqlite.create();
  await (await startService(sqlite, { database }))[Symbol.asyncDispose]();
  const path = join(database.location.data, 'production.db');
  const db = openSqlite(path, identityOf(path));
  const snapshot = await db.snapshot();
  let checks = 0;
  const undo = patchFiles({
    next() {
      checks++;
      return 'fails before it runs';
    },
  });
  try {
    await expect.poll(() => checks).toBeGreaterThan(1);
  } finally {
    undo();
  }
  expect(await snapshot.all(anyStore, {})).toEqual([]);
  await snapshot[Symbol.asyncDispose]();
  await db.close();
});
