import { Agent } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Database, Unavailable } from '../../src/database/engine.ts';
import { markOf } from '../../src/database/named-file.ts';
import type { GroupConnection } from '../../src/transaction/group-connection.ts';
import { CommandQueue } from '../../src/writer/command-queue.ts';
import { runGroup } from '../../src/writer/group.ts';
import { SqliteGroupConnection } from '../../src/writer/sqlite-group-connection.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { sqlite } from '../support/engines.ts';
import { exchange } from '../support/http.ts';
import { startService, type TestService } from '../support/service.ts';

/** How a call fails: before it was made, or after, so that nobody hears that it was. */
const ways = {
  'fails without being made': async (): Promise<unknown> => {
    throw new Error('the call failed');
  },
  'is cut off after it was made': async (call: () => Promise<unknown>): Promise<unknown> => {
    await call();
    throw new Unavailable('the call was cut off');
  },
};
type Way = keyof typeof ways;

/** Counts calls to the database, and lets one of them fail. */
class Fault {
  calls = 0;
  #at = 0;
  #way: Way = 'fails without being made';

  arm(at: number, way: Way): void {
    this.calls = 0;
    this.#at = at;
    this.#way = way;
  }

  async pass<T>(call: () => Promise<T>): Promise<T> {
    return ++this.calls === this.#at ? (ways[this.#way](call) as Promise<T>) : call();
  }
}

function failingDatabase(db: Database, fault: Fault): Database {
  return {
    all: (query, params) => fault.pass(() => db.all(query, params)),
    snapshot: () => fault.pass(() => db.snapshot()),
    close: () => db.close(),
  };
}

/** Writes through the same queue, groups and connection as the service does, in this thread. */
function failingWriter(path: string, fault: Fault): Writer {
  const real = new SqliteGroupConnection(path, markOf(path));
  const connection: GroupConnection = {
    begin: () => fault.pass(() => real.begin()),
    commit: () => fault.pass(() => real.commit()),
    rollback: () => fault.pass(() => real.rollback()),
    lockStore: (id) => fault.pass(() => real.lockStore(id)),
    all: (query, params) => fault.pass(() => real.all(query, params)),
    each: (query, rows) => fault.pass(() => real.each(query, rows)),
  };
  const queue = new CommandQueue((commands) => runGroup(connection, commands, () => {}));
  return {
    onCommit: () => () => {},
    apply: (verb, args) => queue.submit({ verb, args }) as never,
    async close() {
      await queue.idle();
      real.close();
    },
  };
}

/** Every operation of both versions, each as it succeeds in a new store. */
const operations: ReadonlyArray<[request: string, status: number, body?: object, key?: string]> = [
  ['GET /v1/store/orders', 200],
  ['DELETE /v1/store/orders/2', 204],
  ['GET /v1/pets', 200],
  ['GET /v1/pets/1', 200],
  ['GET /v2/store/orders', 200],
  ['POST /v2/store/orders', 201, { petId: 5, quantity: 1 }],
  ['POST /v2/store/orders', 201, { petId: 5, quantity: 1 }, 'once'],
  ['POST /v2/store/orders', 409, { petId: 5, quantity: 1000 }, 'once'],
  ['GET /v2/store/orders/2', 200],
  ['DELETE /v2/store/orders/2', 204],
  ['POST /v2/store/orders/2/ship', 200],
  ['POST /v2/store/orders/2/deliver', 409],
  ['GET /v2/store/orders/2/history', 200],
  ['GET /v2/pets', 200],
  ['POST /v2/pets', 201, { name: 'Rex', category: 'dog', stock: 3 }],
  ['GET /v2/pets/1', 200],
  ['PATCH /v2/pets/1', 200, { stock: 7 }],
];

/** All that a request may change of a store, wherever that store is. */
async function stateOf({ database }: TestService, storeId: bigint): Promise<unknown> {
  const of = (columns: string, table: string, id = 'store_id') =>
    database.rows(`SELECT ${columns} FROM ${table} WHERE ${id} = ${storeId} ORDER BY 1`);
  return [
    await of('next_order_id, next_pet_id, revision', 'stores', 'id'),
    await of('id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision', 'orders'),
    await of('id, name, category, stock, revision', 'pets'),
    await of('key, fingerprint, answer, expires_at', 'idempotency'),
    await of('zone, earliest, latest', 'order_zones'),
  ];
}

describe.each(Object.keys(ways) as Way[])('when the Nth call to the database %s', (way) => {
  it.each(operations)(
    '%s (%i) is answered by a 5xx Error or rightly, and done whole or not at all',
    async (target, status, body, idempotencyKey) => {
      const fault = new Fault();
      await using database = await sqlite.create();
      const prepared = await startService(sqlite, { beside: database });
      await prepared[Symbol.asyncDispose]();
      const writer = failingWriter(join(database.location.data, 'production.db'), fault);
      await using service = await startService(sqlite, {
        beside: database,
        wrap: (db) => failingDatabase(db, fault),
        writer,
        now: () => Date.parse('2026-11-15T12:00:00Z'),
      });
      const [method = '', path = ''] = target.split(' ');
      const agent = new Agent();
      const headers: Record<string, string> = {};
      if (body) headers['content-type'] = 'application/json';
      if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
      const ask = (key: string) =>
        exchange(
          service.port,
          agent,
          method,
          path,
          { ...headers, authorization: `Bearer ${key}` },
          body && JSON.stringify(body),
        );

      const reference = await service.openStore();
      const before = await stateOf(service, reference.storeId);
      expect((await ask(reference.key)).status).toBe(status);
      const after = await stateOf(service, reference.storeId);

      let failed = 0;
      for (let n = 1, isReached = true; isReached; n++) {
        const { key, storeId } = await service.openStore();
        fault.arm(n, way);
        const answer = await ask(key);
        isReached = fault.calls >= n;
        fault.arm(0, way);
        const state = await stateOf(service, storeId);
        if (answer.status === status) expect([n, state]).toEqual([n, after]);
        else {
          failed++;
          expect([n, answer.status]).toEqual([
            n,
            answer.json<{ code: string }>().code === 'unavailable' ? 503 : 500,
          ]);
          expect([before, after]).toContainEqual(state);
        }
        // Whatever it was, the next request finds everything in order.
        expect((await service.request('GET /v1/store/orders', { key })).status).toBe(200);
        expect((await service.request('DELETE /v1/store/orders/6', { key })).status).toBe(204);
      }
      expect(failed).toBeGreaterThan(0);
      await writer.close();
    },
  );
});
