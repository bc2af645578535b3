import {
  closeSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { anyEngine, engines, sqlite, type TestDatabase } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';
import { startService, useService } from '../support/service.ts';

const pathOf = (database: TestDatabase) => join(database.location.data, 'production.db');
const PAGE = 4096;
const open = (database: TestDatabase) => openDeployment('production', database.location);

describe.each(engines)('an order in an unknown state, on $name', (engine) => {
  const service = useService(engine);

  it('500: is never returned or changed, and is identified in the log', async () => {
    const { key, storeId } = await service().openStore();
    await service().database.exec(
      `UPDATE orders SET status = 'pendinf' WHERE store_id = ${storeId} AND id = 2;
       UPDATE stores SET revision = 99 WHERE id = ${storeId}`,
    );
    for (const target of [
      'GET /v1/store/orders',
      'GET /v2/store/orders',
      'GET /v2/store/orders/2',
      'GET /v2/store/orders/2/history',
      'DELETE /v1/store/orders/2',
      'POST /v2/store/orders/2/ship',
    ]) {
      const response = await service().request(target, { key });
      expect([target, response.status, response.json()]).toMatchObject([
        target,
        500,
        { code: 'internal_error' },
      ]);
    }
    expect(service().log.join('')).toContain('damaged: order 2 is \\"pendinf');
    expect((await service().request('GET /v2/store/orders/3', { key })).status).toBe(200);
    expect((await service().request('DELETE /v1/store/orders/4', { key })).status).toBe(204);
  });
});

describe('an unreadable database page', () => {
  it('503: for requests that need it, and /readyz, until it is readable again', async () => {
    await using service = await startService(sqlite);
    const { key } = await service.openStore();
    const path = pathOf(service.database);
    let at = 0;
    {
      using db = new DatabaseSync(path);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const [found] = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'pets'").all();
      at = (Number(found?.rootpage) - 1) * PAGE;
    }
    /** Overwrites the page and returns its previous contents. */
    const replace = (bytes: Buffer) => {
      const before = Buffer.alloc(PAGE);
      const file = openSync(path, 'r+');
      readSync(file, before, 0, PAGE, at);
      writeSync(file, bytes, 0, PAGE, at);
      closeSync(file);
      return before;
    };
    const statuses = async () =>
      Promise.all([service.request('GET /v1/pets', { key }), service.request('GET /readyz')]).then((all) =>
        all.map(({ status }) => status),
      );
    expect((await service.request('GET /readyz')).status).toBe(200);
    const full = replace(Buffer.alloc(PAGE, 0xff));
    expect((await service.request('GET /v1/pets', { key })).status).toBe(503);
    for (let i = 0; i < 3; i++) expect(await statuses()).toEqual([503, 503]);
    expect(service.log.join('')).toContain('is damaged: database disk image is malformed');
    expect((await service.request('GET /v1/store/orders', { key })).status).toBe(200);
    replace(full);
    await expect.poll(statuses).toEqual([200, 200]);
  });
});

describe('an existing database', () => {
  it.each<[string, (path: string) => void]>([
    ['is missing', (path) => rmSync(path)],
    ['is empty', (path) => truncateSync(path)],
  ])('is not replaced by a new one when it %s', async (state, harm) => {
    await using database = await sqlite.create();
    await (await open(database))[Symbol.asyncDispose]();
    harm(pathOf(database));
    await expect(open(database)).rejects.toThrow(`production.db ${state}`);
    rmSync(`${pathOf(database)}-note`);
    await using retried = await open(database);
    expect(retried.previousState).toBe('missing');
  });

  it('is recognized by its -wal file alone', async () => {
    await using database = await sqlite.create();
    writeFileSync(`${pathOf(database)}-wal`, 'something');
    await expect(open(database)).rejects.toThrow(/production\.db is missing, but production\.db-wal/);
  });
});

describe.each(engines)('a new database on $name', (engine) => {
  it('is reported as new once', async () => {
    await using database = await engine.create();
    for (const found of ['missing', 'clean']) {
      await using deployment = await open(database);
      expect([found, deployment.previousState]).toEqual([found, found]);
    }
  });

  it.runIf(anyEngine.includes(engine))('is announced, once', async () => {
    await using database = await engine.create();
    for (const isNew of [true, false]) {
      await using program = await startProgram(['--port', '0', ...database.flags]);
      const { stdout } = await program.stop('SIGTERM');
      expect(/"level":"warn".*no production database found: created a new one/.test(stdout)).toBe(isNew);
    }
  });
});

describe('a -wal file that was deleted after a crash', () => {
  it('is detected: the database is not opened without its changes', async () => {
    await using database = await sqlite.create();
    await using program = await startProgram(['--port', '0', ...database.flags]);
    await program.request('DELETE /v1/store/orders/2', { key: program.key });
    await program.stop('SIGKILL');
    const [log, aside] = [`${pathOf(database)}-wal`, join(database.location.data, 'aside')];
    renameSync(log, aside);
    await expect(open(database)).rejects.toThrow(/its log .*production\.db-wal .* is missing/);
    renameSync(aside, log);
    await (await open(database))[Symbol.asyncDispose]();
    expect(await database.rows('SELECT status FROM orders WHERE id = 2')).toEqual([{ status: 'cancelled' }]);
  });
});

describe('a start after a crash', () => {
  it('checks the database in the background and reports what is wrong', async () => {
    await using database = await sqlite.create();
    await using killed = await startProgram(['--port', '0', ...database.flags]);
    await killed.request('DELETE /v1/store/orders/2', { key: killed.key });
    await database.exec("UPDATE orders SET status = 'pendinf' WHERE id = 3");
    await killed.stop('SIGKILL');
    await using program = await startProgram(['--port', '0', ...database.flags]);
    await program.logged('was not shut down cleanly');
    await program.logged('the database is damaged');
    expect((await program.stop('SIGTERM')).code).toBe(0);
  });
});
