import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/open-deployment.ts';
import { engines, sqlite, type TestDatabase } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';

const pathOf = (database: TestDatabase) => join(database.location.data, 'production.db');
const open = (database: TestDatabase) => openDeployment('production', database.location);

describe.each(engines)('an order in a state that does not exist, on $name', (engine) => {
  it('500: is never shown, and named in the log', async () => {
    await using service = await startService(engine);
    const { key, storeId } = await service.openStore();
    await service.database.exec(
      `UPDATE orders SET status = 'pendinf' WHERE store_id = ${storeId} AND id = 2`,
    );
    for (const target of [
      'GET /v1/store/orders',
      'GET /v2/store/orders',
      'GET /v2/store/orders/2',
      'GET /v2/store/orders/2/history',
      'DELETE /v1/store/orders/2',
      'POST /v2/store/orders/2/ship',
    ]) {
      const answer = await service.request(target, { key });
      expect([target, answer.status, answer.json()]).toMatchObject([target, 500, { code: 'internal_error' }]);
    }
    expect(service.log.join('')).toMatch(/damaged: order 2 is in the state \\"pendinf\\"/);
    expect((await service.request('GET /v2/store/orders/3', { key })).status).toBe(200);
  });
});

describe('where there was a database', () => {
  it.each<[string, (path: string) => void]>([
    ['is missing', (path) => rmSync(path)],
    ['is empty', (path) => truncateSync(path)],
  ])('it is not replaced by a new one when it %s', async (state, harm) => {
    await using database = await sqlite.create();
    await (await open(database))[Symbol.asyncDispose]();
    harm(pathOf(database));
    await expect(open(database)).rejects.toThrow(`production.db ${state}`);
    rmSync(`${pathOf(database)}-note`);
    await using anew = await open(database);
    expect(anew.found).toBe('nothing');
  });

  it('a log beside it is enough to tell', async () => {
    await using database = await sqlite.create();
    writeFileSync(`${pathOf(database)}-wal`, 'something');
    await expect(open(database)).rejects.toThrow(/production\.db is missing, but production\.db-wal/);
  });
});

describe.each(engines)('a new database on $name', (engine) => {
  it('is announced, once', async () => {
    await using database = await engine.create();
    for (const isNew of [true, false]) {
      await using program = await startProgram(['--port', '0', ...database.flags]);
      const { stdout } = await program.stop('SIGTERM');
      expect(/"level":40.*a new one was made/.test(stdout)).toBe(isNew);
    }
  });
});

describe('a byte that flipped in the log after a crash', () => {
  it.each<[string, (log: Buffer) => number]>([
    ['in its head', () => 17],
    ['in an early frame', () => 32 + 24 + 100],
    ['in the head of a frame', () => 32 + 10],
    ['in the middle', (log) => Math.floor(log.length / 2)],
  ])('%s does not drop what was acknowledged after it in silence', async (_, place) => {
    await using database = await sqlite.create();
    await using program = await startProgram(['--port', '0', ...database.flags]);
    for (const id of [2, 6, 9]) await program.request(`DELETE /v1/store/orders/${id}`, { key: program.key });
    await program.stop('SIGKILL');
    const path = `${pathOf(database)}-wal`;
    const log = readFileSync(path);
    const damaged = Buffer.from(log);
    damaged[place(log)] = (log[place(log)] as number) ^ 1;

    writeFileSync(path, damaged);
    await expect(open(database)).rejects.toThrow(/production\.db-wal is damaged, and \d+ groups/);
    expect(readFileSync(path)).toEqual(damaged);
    writeFileSync(path, log);
    await (await open(database))[Symbol.asyncDispose]();
  });

  it('a last change that was half written is no damage', async () => {
    await using database = await sqlite.create();
    await using program = await startProgram(['--port', '0', ...database.flags]);
    await program.request('DELETE /v1/store/orders/2', { key: program.key });
    await program.stop('SIGKILL');
    const path = `${pathOf(database)}-wal`;
    const log = readFileSync(path);
    log[log.length - 100] = (log[log.length - 100] as number) ^ 1;
    writeFileSync(path, log);
    await (await open(database))[Symbol.asyncDispose]();
  });
});

describe('a start after a crash', () => {
  it('checks the database in the background, and says what is wrong with it', async () => {
    await using database = await sqlite.create();
    for (const [damage, said] of [
      ['SELECT 1', 'the database was checked: it is whole'],
      ["UPDATE orders SET status = 'pendinf' WHERE id = 3", 'the database is damaged'],
    ] as const) {
      await using killed = await startProgram(['--port', '0', ...database.flags]);
      await killed.request('DELETE /v1/store/orders/2', { key: killed.key });
      await database.exec(damage);
      await killed.stop('SIGKILL');
      await using program = await startProgram(['--port', '0', ...database.flags]);
      await program.logged('the database was not closed');
      await program.logged(said);
      expect((await program.stop('SIGTERM')).code).toBe(0);
    }
  });
});
