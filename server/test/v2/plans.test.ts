import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Params, Query } from '../../src/database/query.ts';
import { openDeployment } from '../../src/open-deployment.ts';
import { indexFor, isLong, pageOf, type Shape, type Way } from '../../src/orders/order-page-queries.ts';
import { petIndexFor, petPageQuery } from '../../src/pets/pet-pages.ts';
import { claim, webhooksDue } from '../../src/webhooks/send-deliveries.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { zonesOf } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const ORDERS = 60_000;
const FIRST = Date.parse('2020-01-01T00:00:00Z');
const bounds = [
  { from: false, to: false },
  { from: true, to: false },
  { from: false, to: true },
  { from: true, to: true },
];

const both = [false, true];
const sorts = (['id', 'date'] as const).flatMap((by) => both.map((descending) => ({ by, descending })));

/** Every query that a page in this sort can need, each with the index that it must walk along. */
function queriesOf(sort: (typeof sorts)[number]) {
  const shapes: Shape[] = [0, 1, 3].flatMap((states) =>
    both.flatMap((pet) =>
      bounds.flatMap((range) => both.map((after) => ({ ...sort, states, pet, ...range, after }))),
    ),
  );
  return shapes.flatMap((shape) => {
    const isDatesById = shape.by === 'id' && (shape.from || shape.to);
    const ways: Way[] = isDatesById ? ['zones', 'sorting'] : ['index'];
    return [
      ...ways.map((way) => ({
        shape,
        way: way as Way | 'count',
        query: pageOf(shape, way),
        index: indexFor(shape, way === 'sorting' ? 'date' : shape.by),
      })),
      ...(isDatesById
        ? [{ shape, way: 'count' as const, query: isLong(shape), index: indexFor(shape, 'date') }]
        : []),
    ];
  });
}

/** How many orders a query may look at for a page of 51. */
const most = { index: 51, zones: 3 * 1024, sorting: 2_500, count: 1001 };

/** A page in the middle of everything; for what is to be sorted, of no more dates than that is done for. */
function parametersFor(storeId: bigint, shape: Shape, way: Way | 'count') {
  const middle = BigInt(Date.parse('2023-05-15T00:00:00Z'));
  const id = BigInt(ORDERS / 2);
  return {
    storeId,
    petId: 5n,
    from: BigInt(
      Date.parse(way === 'sorting' && !shape.to ? '2026-11-20T00:00:00Z' : '2021-01-01T00:00:00Z'),
    ),
    to: BigInt(
      Date.parse(
        way === 'sorting'
          ? shape.from
            ? '2021-02-01T00:00:00Z'
            : '2020-02-01T00:00:00Z'
          : '2025-01-01T00:00:00Z',
      ),
    ),
    afterDate: middle,
    afterId: id,
    afterZone: id >> 10n,
    limit: 51n,
    most: 1000n,
    status0: 'pending',
    status1: 'delivered',
    status2: 'cancelled',
  };
}

const PETS = 20_000;

/** Every page of pets, with the index that it must walk along. */
const petPages = both.flatMap((category) =>
  [undefined, true, false].flatMap((available) =>
    both.map((after) => ({
      what: JSON.stringify({ category, available, after }),
      query: petPageQuery(category, available, after),
      index: petIndexFor(category, available),
    })),
  ),
);

/** A store whose orders ship up to forty days after they were placed, one every hour. */
async function filled(
  engine: (typeof engines)[number],
): Promise<{ database: TestDatabase; storeId: bigint }> {
  const database = await engine.create();
  await (await openDeployment('production', database.location))[Symbol.asyncDispose]();
  const storeId = 7n;
  await database.exec(`
    INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at) VALUES (${storeId}, 1, ${ORDERS + 1}, 13, 0);
    INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ORDERS})
    SELECT ${storeId}, n, 1 + n * 7919 % 12, 1, ${FIRST} + CAST(n AS bigint) * 3600000 + n * 7919 % 41 * CAST(86400000 AS bigint),
      CASE n * 7919 % 10 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'shipped' WHEN 2 THEN 'delivered' ELSE 'pending' END,
      ${FIRST}, ${FIRST}, 1
    FROM numbers;
    INSERT INTO pets (store_id, id, name, category, stock, revision)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${PETS})
    SELECT ${storeId}, n, 'Rex', CASE n * 7919 % 1000 WHEN 0 THEN 'newt' ELSE 'dog' END, CASE n * 7919 % 500 WHEN 0 THEN 0 ELSE 3 END, 1
    FROM numbers;
    ${zonesOf(storeId)}`);
  return { database, storeId };
}

const [sqlite, postgres] = engines as [(typeof engines)[number], (typeof engines)[number]];

describe('query plans on sqlite', () => {
  let database: TestDatabase;
  let connection: DatabaseSync;
  beforeAll(async () => {
    ({ database } = await filled(sqlite));
    connection = new DatabaseSync(`${database.location.data}/production.db`, { readOnly: true });
  });
  afterAll(async () => {
    connection.close();
    await database[Symbol.asyncDispose]();
  });

  it.each(sorts)('every page sorted by $by (descending: $descending) walks along its own index', (sort) => {
    for (const { shape, way, query, index = 'PRIMARY KEY' } of queriesOf(sort)) {
      const plan = connection
        .prepare(`EXPLAIN QUERY PLAN ${query.on('sqlite').sql}`)
        .all() as unknown as Step[];
      const what = JSON.stringify({ shape, way, plan }, undefined, 1);
      const walks = plan
        .filter(({ detail }) => / orders\b/.test(detail))
        .filter(({ detail }) => !detail.endsWith('PRIMARY KEY (store_id=? AND id=?)'));
      expect(walks, what).toHaveLength(Math.max(shape.states, 1));
      for (const { detail, parent } of walks) {
        const search = new RegExp(`^SEARCH orders USING (COVERING INDEX |INDEX )?${index} \\(store_id=\\?`);
        expect(detail, what).toMatch(search);
        if (way === 'zones') expect(detail, what).toMatch(/id>\? AND id<\?\)$/);
        if (way === 'sorting' || way === 'count') continue;
        if (shape.after) expect(detail, what).toMatch(/id\)?[<>]/);
        const isSorted = plan.some((step) => step.parent === parent && step.detail.includes('TEMP B-TREE'));
        expect(isSorted, what).toBe(false);
      }
    }
  });
});

describe('plans of pets', () => {
  it('on sqlite, every page walks along its own index, and sorts nothing', async () => {
    const { database } = await filled(sqlite);
    await using _ = database;
    using connection = new DatabaseSync(`${database.location.data}/production.db`, { readOnly: true });
    for (const { what, query, index = 'PRIMARY KEY' } of petPages) {
      const plan = connection
        .prepare(`EXPLAIN QUERY PLAN ${query.on('sqlite').sql}`)
        .all() as unknown as Step[];
      expect(plan, what).toHaveLength(1);
      expect(plan[0]?.detail, what).toMatch(
        new RegExp(`^SEARCH pets USING (INDEX )?${index} \\(store_id=\\?`),
      );
      if (what.includes('"category":true')) expect(plan[0]?.detail, what).toContain('category=?');
      if (what.includes('"after":true')) expect(plan[0]?.detail, what).toContain('id>?');
    }
  });

  it('on postgres, no page looks at more pets than it shows', async () => {
    const { database, storeId } = await filled(postgres);
    await using _ = database;
    const connection = new pg.Client({ connectionString: database.location.database });
    await connection.connect();
    try {
      await connection.query('VACUUM ANALYZE');
      for (const { what, query } of petPages) {
        for (const category of ['newt', 'zzz']) {
          const { sql, bind } = query.on('postgres');
          const explain = `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, TIMING OFF, FORMAT JSON) ${sql}`;
          const params = { storeId, category, after: 100n, limit: 51n };
          const { rows } = await connection.query(explain, bind(params));
          for (const read of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
            const passed =
              (read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)) * read['Actual Loops'];
            expect(passed, `${what} ${JSON.stringify(read)}`).toBeLessThanOrEqual(51);
          }
        }
      }
    } finally {
      await connection.end();
    }
  });
});

interface Step {
  readonly parent: number;
  readonly detail: string;
}

interface Node {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe('query plans on postgres', () => {
  let database: TestDatabase;
  let storeId: bigint;
  let connection: pg.Client;
  beforeAll(async () => {
    ({ database, storeId } = await filled(postgres));
    connection = new pg.Client({ connectionString: database.location.database });
    await connection.connect();
    await connection.query('VACUUM ANALYZE');
  });
  afterAll(async () => {
    await connection.end();
    await database[Symbol.asyncDispose]();
  });

  it.each(sorts)(
    'every page sorted by $by (descending: $descending) walks along its own index, and reads no more',
    async (sort) => {
      for (const { shape, way, query, index = 'orders_pkey' } of queriesOf(sort)) {
        const { sql, bind } = query.on('postgres');
        const explain = `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, TIMING OFF, FORMAT JSON) ${sql}`;
        const { rows } = await connection.query(explain, bind(parametersFor(storeId, shape, way)));
        const all = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
        for (const read of all.filter((node) => node['Relation Name'] === 'orders')) {
          const what = JSON.stringify({ shape, way, read }, undefined, 1);
          expect(read['Node Type'], what).toMatch(/^(Index Scan|Index Only Scan|Bitmap Heap Scan)$/);
          const { 'Index Name': used, 'Index Cond': condition } = read['Index Name']
            ? read
            : (read.Plans?.[0] ?? read);
          // An index of other columns that are not asked about does as well, as long as it is walked by zone.
          if (way !== 'zones') expect([index, 'orders_pkey'], what).toContain(used);
          if (way === 'zones') expect(condition, what).toMatch(/\bid >= \(zones(_\d)?\.zone << 10\)|\bid = /);
          else if (used !== index) expect(condition, what).toMatch(/\bid = /);
          const passed = (read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)) * read['Actual Loops'];
          expect(passed, what).toBeLessThanOrEqual(most[way]);
        }
      }
    },
  );
});

/** How SQLite goes through the deliveries. */
async function stepsOf({ location }: TestDatabase, sql: string): Promise<string[]> {
  using connection = new DatabaseSync(`${location.data}/production.db`, { readOnly: true });
  const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as Step[];
  expect(plan.some(({ detail }) => detail.includes('TEMP B-TREE'))).toBe(false);
  return plan.map(({ detail }) => detail).filter((detail) => / deliveries\b/.test(detail));
}

/** How many deliveries PostgreSQL reads for it. */
async function rowsRead<P>({ location }: TestDatabase, query: Query<P, unknown>, params: P): Promise<number> {
  const client = new pg.Client({ connectionString: location.database });
  await client.connect();
  const { sql, bind } = query.on('postgres');
  const explain = `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, TIMING OFF, FORMAT JSON) ${sql}`;
  const { rows } = await client.query(explain, bind(params as Params));
  await client.end();
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] === 'deliveries' && node['Node Type'] !== 'ModifyTable')
    .reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
}

describe.each(engines)('what is due, on $name,', (engine) => {
  it('is found and claimed without looking through all that waits', async () => {
    await using service = await startService(engine, { webhooks: { rest: 1e9 } });
    const { storeId } = await service.openStore();
    const [WEBHOOKS, EACH] = [20, 1000];
    await service.database.exec(`
      INSERT INTO webhooks (id, store_id, url, types, active, secret, revision, next_delivery_id, created_at)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${WEBHOOKS})
      SELECT 'wh_' || n, ${storeId}, 'https://example.com', '', 1, '', 0, ${EACH + 1}, 0 FROM numbers;
      INSERT INTO deliveries (webhook_id, id, body, status, tries, attempts, next_at, created_at)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${EACH})
      SELECT webhooks.id, n, '{}', 'pending', 0, '[]', n, 0 FROM webhooks CROSS JOIN numbers`);
    if (engine.name === 'postgres') await service.database.rows('ANALYZE');
    const due = { after: '', at: 10_000n, busy: '', limit: 64n };
    const claimed = { webhookId: 'wh_7', at: 10_000n, until: 20_000n, most: 4n };
    expect(await service.deployment.db.all(webhooksDue, due)).toHaveLength(WEBHOOKS);
    if (engine.name === 'sqlite')
      for (const { on } of [webhooksDue, claim])
        for (const step of await stepsOf(service.database, on('sqlite').sql))
          expect(step).toMatch(/^SEARCH deliveries .*(deliveries_due_of_webhook|webhook_id=\? AND id=\?)/);
    else {
      expect(await rowsRead(service.database, webhooksDue, due)).toBeLessThan(5 * WEBHOOKS);
      expect(await rowsRead(service.database, claim, claimed)).toBeLessThan(20);
    }
  });
});
