import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/open-deployment.ts';
import { engines, sqlite, type TestDatabase } from '../support/engines.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { useService } from '../support/service.ts';

const pathOf = (database: TestDatabase) => join(database.location.data, 'production.db');
const json = { 'content-type': 'application/json' };
const open = (database: TestDatabase) => openDeployment('production', database.location);

describe.each(engines)('a row that is not as it was written, on $name', (engine) => {
  const service = useService(engine);

  it.each([
    "status = 'pendinf'",
    "status = 'delivered'",
    'pet_id = 3',
    'quantity = 6',
    'ship_date = ship_date + 1',
    'placed_at = placed_at - 1',
    'updated_at = updated_at + 256',
    'revision = revision + 1',
    'sum = sum + 1',
  ])('500: an order (%s) is never shown or changed, and named in the log', async (damage) => {
    const { key, storeId } = await service().openStore();
    await service().database.exec(
      `UPDATE orders SET ${damage} WHERE store_id = ${storeId} AND id = 2;
       UPDATE stores SET revision = 99 WHERE id = ${storeId}`,
    );
    for (const target of [
      'GET /v1/store/orders',
      'GET /v2/store/orders',
      'GET /v2/store/summary',
      'GET /v2/store/orders/2',
      'GET /v2/store/orders/2/history',
      'DELETE /v1/store/orders/2',
      'POST /v2/store/orders/2/ship',
    ]) {
      const answer = await service().request(target, { key });
      expect([target, answer.status, answer.json()]).toMatchObject([target, 500, { code: 'internal_error' }]);
    }
    expect(service().log.join('')).toMatch(
      new RegExp(`damaged: order 2 is \\\\"damaged, in store ${storeId}, and reads`),
    );
    expect((await service().request('GET /v2/store/orders/3', { key })).status).toBe(200);
    expect((await service().request('DELETE /v1/store/orders/4', { key })).status).toBe(204);
  });

  it.each([
    "name = 'Rez'",
    "category = 'doh'",
    'stock = stock + 16',
    'supplied = supplied + 1',
    'revision = revision + 1',
    'sum = sum - 1',
  ])('500: a pet (%s) is never shown, sold or changed, and named in the log', async (damage) => {
    const { key, storeId } = await service().openStore();
    await service().database.exec(
      `UPDATE pets SET ${damage} WHERE store_id = ${storeId} AND id = 1;
       UPDATE stores SET revision = 99 WHERE id = ${storeId}`,
    );
    // Its stock goes on being counted, and the damage stays what it is.
    expect((await service().request('DELETE /v1/store/orders/12', { key })).status).toBe(204);
    for (const [target, body] of [
      ['GET /v1/pets'],
      ['GET /v1/pets/1'],
      ['GET /v2/pets'],
      ['GET /v2/store/summary'],
      ['GET /v2/pets/1'],
      ['PATCH /v2/pets/1', { name: 'Rex', category: 'dog', stock: 1 }],
      ['POST /v2/store/orders', { petId: 1, quantity: 1 }],
    ] as const) {
      const answer = await service().request(
        target,
        body ? { key, headers: json, body: JSON.stringify(body) } : { key },
      );
      expect([target, answer.status, answer.json()]).toMatchObject([target, 500, { code: 'internal_error' }]);
    }
    expect(service().log.join('')).toContain(`damaged: pet 1 of store ${storeId} is not as it was written`);
    expect((await service().request('GET /v2/pets/2', { key })).status).toBe(200);
  });

  it('500: an answer that is kept for a repeated request is not repeated', async () => {
    const { key, storeId } = await service().openStore();
    const place = () =>
      service().request('POST /v2/store/orders', {
        key,
        headers: { ...json, 'idempotency-key': 'once' },
        body: JSON.stringify({ petId: 5, quantity: 1 }),
      });
    expect((await place()).status).toBe(201);
    await service().database.exec(
      `UPDATE idempotency SET answer = replace(answer, '"quantity":"1n"', '"quantity":"3n"')
       WHERE store_id = ${storeId}`,
    );
    expect((await place()).status).toBe(500);
    expect(service().log.join('')).toContain(`the answer kept under a key of store ${storeId}`);
  });
});

describe('a byte that flipped in the file', () => {
  const placedAt = Buffer.alloc(6);
  placedAt.writeUIntBE(Date.parse('2026-09-03T23:34Z'), 0, 6);

  it.each<[string, Buffer, string, RegExp]>([
    [
      "in a pet's name",
      Buffer.from('Bella'),
      'GET /v1/pets',
      /^no pets that are not as.*: store \d+, id 2$/m,
    ],
    [
      "in an order's date",
      placedAt,
      'GET /v2/store/orders',
      /^no orders that are not as.*: store \d+, id 2$/m,
    ],
  ])('%s is 500, and named by a check', async (_, written, target, line) => {
    await using database = await sqlite.create();
    const { stdout: key } = await runProgram(['keys', 'create', ...database.flags]);
    const path = pathOf(database);
    const bytes = readFileSync(path);
    const at = bytes.indexOf(written) + written.length - 1;
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(path, bytes);
    const { code, stdout } = await runProgram(['check', ...database.flags]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(line)]);
    await using program = await startProgram(['--port', '0', ...database.flags]);
    const answer = await program.request(target, { key: key.trim() });
    expect([answer.status, answer.json()]).toMatchObject([500, { code: 'internal_error' }]);
    await program.logged('the database is damaged: ');
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
  /** What a program left that was killed after three changes. */
  let left: TestDatabase;
  beforeAll(async () => {
    left = await sqlite.create();
    await using program = await startProgram(['--port', '0', ...left.flags]);
    for (const id of [2, 6, 9]) await program.request(`DELETE /v1/store/orders/${id}`, { key: program.key });
    await program.stop('SIGKILL');
  });
  afterAll(() => left[Symbol.asyncDispose]());

  const createLeft = async () => {
    const database = await sqlite.create();
    cpSync(left.location.data, database.location.data, { recursive: true });
    return database;
  };

  it.each<[string, (log: Buffer) => number]>([
    ['in its head', () => 17],
    ['in an early frame', () => 32 + 24 + 100],
    ['in the head of a frame', () => 32 + 10],
    ['in the middle', (log) => Math.floor(log.length / 2)],
  ])('%s does not drop what was acknowledged after it in silence', async (_, place) => {
    await using database = await createLeft();
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
    await using database = await createLeft();
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
