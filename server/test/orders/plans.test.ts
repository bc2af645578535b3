import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf } from '../../src/database/database-files.ts';
import type { Database } from '../../src/database/engine.ts';
import type { Connection, Params, Query } from '../../src/database/query.ts';
import { SqliteConnection } from '../../src/database/sqlite.ts';
import { placeOrder } from '../../src/orders/place-order.ts';
import { eraseStore } from '../../src/stores/end-stores.ts';
import { advanceWebhook, webhooksDue } from '../../src/webhooks/advance-webhook.ts';
import { Transaction } from '../../src/writer/verb.ts';
import { sampleOf } from '../support/effort.ts';
import { type Engine, engines, type TestDatabase } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { type Client, clientOf, type Page } from '../support/v2.ts';

const ORDERS = 24_000;
const PETS = 8_000;
const FIRST = Date.parse('2020-01-01T00:00:00Z');
const LIMIT = 50;
/** Orders that one read may look at for a page that no index sorts. */
const SLICE = 5_000;

const states = ['', 'status=pending', 'status=pending,delivered,cancelled'];
const pets = ['', 'petId=5'];
const ranges = [
  '',
  'shipDateFrom=2021-01-01T00:00:00Z',
  'shipDateTo=2025-01-01T00:00:00Z',
  'shipDateFrom=2021-01-01T00:00:00Z&shipDateTo=2025-01-01T00:00:00Z',
  'shipDateFrom=2021-01-01T00:00:00Z&shipDateTo=2021-02-01T00:00:00Z',
];
const sorts = ['id', '-id', 'shipDate', '-shipDate'];

/** A read of a page, as it was sent to the database. */
interface Read {
  readonly sql: string;
  readonly values: unknown[];
}

/** A store whose orders were placed in the course of seven years and ship up to forty days later. */
async function startFilled(engine: Engine) {
  const reads: Read[] = [];
  const recording = (db: Database): Database => ({
    ...db,
    all(query, params) {
      const { sql, bind } = query.statementFor(engine.name);
      reads.push({ sql, values: bind(params as Params).map(String) });
      return db.all(query, params);
    },
  });
  const service = await startService(engine, { wrap: recording });
  const store = await service.openStore();
  const { storeId } = store;
  await service.database.exec(`
    DELETE FROM orders WHERE store_id = ${storeId};
    DELETE FROM pets WHERE store_id = ${storeId};
    INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ORDERS})
    SELECT ${storeId}, n, 1 + n * 7919 % 12, 1, ${FIRST} + CAST(n AS bigint) * 9000000 + n * 7919 % 41 * CAST(86400000 AS bigint),
      CASE n * 7919 % 10 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'shipped' WHEN 2 THEN 'delivered' ELSE 'pending' END,
      ${FIRST}, ${FIRST}, 1
    FROM numbers;
    INSERT INTO pets (store_id, id, name, category, stock, revision)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${PETS})
    SELECT ${storeId}, n, 'Rex', CASE n * 7919 % 1000 WHEN 0 THEN 'newt' ELSE 'dog' END, CASE n * 7919 % 500 WHEN 0 THEN 0 ELSE 3 END, 1
    FROM numbers;
    ${engine.name === 'postgres' ? 'ANALYZE' : ''}`);
  return { service, client: clientOf(service, store), reads };
}

/** Rows of a table that are read for a page and for the next one. */
async function readsOf(client: Client, reads: Read[], table: string, path: string): Promise<Read[]> {
  reads.length = 0;
  const response = await client(`GET ${path}`);
  expect(response.status).toBe(200);
  const { nextCursor } = response.json<Page<unknown>>();
  if (nextCursor !== null) await client(`GET ${path}&cursor=${nextCursor}`);
  return reads.filter(({ sql }) => sql.includes(` ${table} `));
}

function orderPages(sort: string): string[] {
  const filters = states.flatMap((status) =>
    pets.flatMap((pet) => ranges.map((range) => [status, pet, range].filter(Boolean).join('&'))),
  );
  return sampleOf(filters).map((filter) => `/v2/store/orders?sort=${sort}&limit=${LIMIT}&${filter}`);
}

const petPages = ['', 'category=newt', 'category=zzz'].flatMap((category) =>
  ['', 'status=available', 'status=sold'].map((status) => `/v2/pets?limit=${LIMIT}&${category}&${status}`),
);

/** The index that has the order of a page; for dates by id, which none has, the one of dates. */
function indexOf(path: string): string {
  const parts = [
    path.includes('petId') ? 'pet' : '',
    path.includes('status') ? 'status' : '',
    /sort=-?shipDate|shipDateFrom|shipDateTo/.test(path) ? 'date' : '',
  ].filter(Boolean);
  return parts.length === 0 ? 'PRIMARY KEY' : `orders_by_${parts.join('_')}`;
}

function isDatesById(path: string): boolean {
  return /sort=-?id&.*shipDate/.test(path);
}

interface Step {
  readonly parent: number;
  readonly detail: string;
}

const [sqlite, postgres] = engines as [Engine, Engine];

describe('query plans on sqlite', () => {
  let filled: Awaited<ReturnType<typeof startFilled>>;
  let connection: DatabaseSync;
  beforeAll(async () => {
    filled = await startFilled(sqlite);
    connection = new DatabaseSync(`${filled.service.database.location.data}/production.db`, {
      readOnly: true,
    });
  });
  afterAll(async () => {
    connection.close();
    await filled.service[Symbol.asyncDispose]();
  });
  const planOf = ({ sql }: Read) =>
    connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as Step[];

  it.each(sorts)('every page sorted by %s uses its index', async (sort) => {
    for (const path of orderPages(sort)) {
      for (const read of await readsOf(filled.client, filled.reads, 'orders', path)) {
        const plan = planOf(read);
        const what = JSON.stringify({ path, read, plan }, undefined, 1);
        const walks = plan
          .filter(({ detail }) => / orders\b/.test(detail))
          .filter(({ detail }) => !detail.endsWith('PRIMARY KEY (store_id=? AND id=?)'));
        expect(walks.length, what).toBeGreaterThan(0);
        for (const { detail, parent } of walks) {
          const index = isDatesById(path) ? `(${indexOf(path)}|PRIMARY KEY)` : indexOf(path);
          expect(detail, what).toMatch(
            new RegExp(`^SEARCH orders USING (COVERING INDEX |INDEX )?${index} \\(store_id=\\?`),
          );
          // From the start of the range on, a late page would be looked for among all before it.
          if (read.sql.includes('(ship_date, id)')) expect(detail, what).toContain('(ship_date,id)');
          if (isDatesById(path)) continue;
          const isSorted = plan.some((step) => step.parent === parent && step.detail.includes('TEMP B-TREE'));
          expect(isSorted, what).toBe(false);
        }
      }
    }
  });

  it('every page of pets uses its index without sorting', async () => {
    for (const path of petPages) {
      for (const read of await readsOf(filled.client, filled.reads, 'pets', path)) {
        const plan = planOf(read);
        expect(plan, path).toHaveLength(1);
        expect(plan[0]?.detail, path).toMatch(
          /^SEARCH pets USING (INDEX pets_\w+|PRIMARY KEY) \(store_id=\?/,
        );
        if (path.includes('category')) expect(plan[0]?.detail, path).toContain('category=?');
        if (path.includes('status=sold')) expect(plan[0]?.detail, path).toContain('INDEX pets_sold');
        if (path.includes('status=available'))
          expect(plan[0]?.detail, path).toContain('INDEX pets_available');
      }
    }
  });
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe('query plans on postgres', () => {
  let filled: Awaited<ReturnType<typeof startFilled>>;
  let connection: pg.Client;
  beforeAll(async () => {
    filled = await startFilled(postgres);
    connection = new pg.Client({ connectionString: filled.service.database.location.database });
    await connection.connect();
    await connection.query('VACUUM ANALYZE');
  });
  afterAll(async () => {
    await connection.end();
    await filled.service[Symbol.asyncDispose]();
  });

  /** Each node of the plan that reads the table, with how many rows it looked at. */
  const nodesReading = async (table: string, { sql, values }: Read) => {
    const explain = `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, TIMING OFF, FORMAT JSON) ${sql}`;
    const { rows } = await connection.query(explain, values);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
      .filter((node) => node['Relation Name'] === table)
      .map((node) => ({
        type: node['Node Type'],
        rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      }));
  };

  it.each(sorts)(
    'every page sorted by %s reads no more orders than it shows, or than a slice has',
    async (sort) => {
      for (const path of orderPages(sort)) {
        for (const read of await readsOf(filled.client, filled.reads, 'orders', path)) {
          for (const { type, rows } of await nodesReading('orders', read)) {
            const what = JSON.stringify({ path, read, type }, undefined, 1);
            expect(type, what).toMatch(/^(Index Scan|Index Only Scan|Bitmap Heap Scan)$/);
            expect(rows, what).toBeLessThanOrEqual(isDatesById(path) ? SLICE + 1 : LIMIT + 1);
          }
        }
      }
    },
  );

  it('no page reads more pets than it shows', async () => {
    for (const path of petPages)
      for (const read of await readsOf(filled.client, filled.reads, 'pets', path))
        for (const { rows } of await nodesReading('pets', read))
          expect(rows, path).toBeLessThanOrEqual(LIMIT + 1);
  });
});

/** SQLite's access path to a table. */
async function stepsOf(
  { location }: TestDatabase,
  table: string,
  { statementFor }: Query<never, unknown>,
): Promise<string[]> {
  using connection = new DatabaseSync(`${location.data}/production.db`, { readOnly: true });
  const plan = connection
    .prepare(`EXPLAIN QUERY PLAN ${statementFor('sqlite').sql}`)
    .all() as unknown as Step[];
  expect(plan.some(({ detail }) => detail.includes('TEMP B-TREE'))).toBe(false);
  return plan.map(({ detail }) => detail).filter((detail) => detail.includes(` ${table} `));
}

/** How many rows of a table PostgreSQL reads for it. */
async function rowsRead<P>(
  { location }: TestDatabase,
  table: string,
  query: Query<P, unknown>,
  params: P,
): Promise<number> {
  const client = new pg.Client({ connectionString: location.database });
  await client.connect();
  const { sql, bind } = query.statementFor('postgres');
  const explain = `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, TIMING OFF, FORMAT JSON) ${sql}`;
  const { rows } = await client.query(explain, bind(params as Params));
  await client.end();
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] === table && node['Node Type'] !== 'ModifyTable')
    .reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
}

/** The queries of a verb's transaction, where each result is the same row. */
async function queriesOf(
  run: (tx: Transaction) => Promise<unknown>,
  row = {},
): Promise<Array<Query<never, unknown>>> {
  const queries: Array<Query<never, unknown>> = [];
  const connection: Connection = {
    async all(query) {
      queries.push(query);
      return [row] as never;
    },
  };
  await run(new Transaction({ ...connection, isInTransaction: true }));
  return queries;
}

it('a placement with a key reads only the responses of that key', async () => {
  await using service = await startService(sqlite);
  const { storeId } = await service.openStore();
  const path = `${service.database.location.data}/production.db`;
  await using writing = new SqliteConnection(path, 'write', identityOf(path));
  const queries = new Set<string>();
  const recording: Connection = {
    all(query, params) {
      queries.add(query.statementFor('sqlite').sql);
      return writing.all(query, params);
    },
  };
  await writing.begin();
  const tx = new Transaction({ ...recording, isInTransaction: true });
  const placement = { storeId, petId: 5n, quantity: 1n, maxStoredKeys: 1n, at: 0n };
  for (const idempotencyKey of ['first', 'second'])
    await placeOrder.run(tx, { ...placement, idempotencyKey });
  await writing.rollback();
  using reading = new DatabaseSync(path, { readOnly: true });
  const searches = [...queries]
    .flatMap((sql) => reading.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as Step[])
    .map(({ detail }) => detail)
    .filter((detail) => / idempotency\b/.test(detail));
  expect(searches).not.toEqual([]);
  for (const search of searches) expect(search).toMatch(/^SEARCH .*\(store_id=\? AND (key=|number<)\?\)$/);
});

describe.each(engines)('due work, on $name,', (engine) => {
  it('is found and claimed without scanning what is not due', async () => {
    await using service = await startService(engine, { intervalMs: 1e9 });
    const { storeId } = await service.openStore();
    const [WEBHOOKS, DUE, EACH] = [2000, 20, 1000];
    const numbers = (count: number) =>
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
    await service.database.exec(`
      INSERT INTO webhooks (id, store_id, url, types, active, secret, revision, next_delivery_id, created_at, next_due)
      ${numbers(WEBHOOKS)} SELECT 'wh_' || n, ${storeId}, 'https://receiver.invalid', '', 1, '', 0, ${EACH + 1}, 0,
        CASE WHEN n % 3 = 0 THEN NULL WHEN n <= ${1.5 * DUE} THEN n ELSE 20000 END FROM numbers;
      INSERT INTO deliveries (webhook_id, id, body, status, tries, attempts, next_at, created_at)
      ${numbers(EACH)} SELECT webhooks.id, n, '{}', 'pending', 0, '[]', n, 0 FROM webhooks CROSS JOIN numbers
      WHERE next_due < 20000`);
    if (engine.name === 'postgres') await service.database.rows('ANALYZE');
    const due = { nextDue: 0n, webhookId: '', upTo: 10_000n, at: 10_000n, limit: 64n };
    const wanted = {
      storeId,
      webhookId: 'wh_7',
      types: '',
      webhookRevision: 0n,
      events: undefined,
      inFlight: 0,
      at: 10_000n,
    };
    const row = { revision: 1n, next_delivery_id: 1n, tries: 1n, count: 0n, next: null };
    const queries = await queriesOf((tx) => advanceWebhook.run(tx, { ...wanted, limit: 4 }), row);
    const claim = queries.find(({ statementFor }) => /UPDATE deliveries/.test(statementFor('sqlite').sql));
    const claimed = { webhookId: 'wh_7', limit: 4n, at: 10_000n };
    expect(await service.deployment.db.all(webhooksDue, due)).toHaveLength(DUE);
    if (engine.name === 'sqlite') {
      for (const step of await stepsOf(service.database, 'webhooks', webhooksDue))
        expect(step).toMatch(/^SEARCH webhooks USING INDEX webhooks_due/);
      for (const step of await stepsOf(service.database, 'deliveries', claim as typeof webhooksDue))
        expect(step).toMatch(/^SEARCH deliveries .*(deliveries_due_of_webhook|webhook_id=\? AND id=\?)/);
    } else {
      expect(await rowsRead(service.database, 'webhooks', webhooksDue, due)).toBe(DUE);
      // Rows due at the same time are claimed by ID, for which PostgreSQL sorts at least 32 at a time.
      expect(
        await rowsRead(service.database, 'deliveries', claim as Query<Params, unknown>, claimed),
      ).toBeLessThan(50);
    }
  });
});

it('orders without PostgreSQL statistics are erased without a scan for each', async () => {
  await using service = await startService(postgres);
  const { database } = service;
  await service.openStore();
  await database.rows('ANALYZE');
  const { storeId } = await service.openStore();
  const ORDERS = 5_000;
  await database.exec(`
    INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
    SELECT ${storeId}, n, 1, 1, 1, 'pending', 1, 1, 1 FROM generate_series(41, ${ORDERS}) AS numbers (n)`);
  const queries = await queriesOf((tx) => eraseStore.run(tx, { storeId }), { closed_at: 1n });
  const erase = queries.find((query) =>
    query.statementFor('postgres').sql.startsWith('DELETE FROM "orders"'),
  );
  expect(await rowsRead(database, 'orders', erase as Query<Params, unknown>, { storeId })).toBeLessThan(
    2 * ORDERS,
  );
});
