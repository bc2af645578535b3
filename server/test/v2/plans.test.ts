import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/open-deployment.ts';
import { orderSorts, pageQuery, type Shape } from '../../src/orders/order-pages.ts';
import { engines, type TestDatabase } from '../support/engines.ts';

const ORDERS = 60_000;
const FIRST = Date.parse('2020-01-01T00:00:00Z');
const bounds = [
  { from: false, to: false },
  { from: true, to: false },
  { from: false, to: true },
  { from: true, to: true },
];

/** Every query that a page in this sort can need. */
function shapesOf(sort: Shape['sort']): Shape[] {
  return [0, 1, 3].flatMap((states) =>
    [false, true].flatMap((pet) =>
      bounds.flatMap((range) => [false, true].map((after) => ({ sort, states, pet, ...range, after }))),
    ),
  );
}

/** The one index that is made for the shape. */
function indexFor({ sort, states, pet, from, to }: Shape, primaryKey: string): string {
  const byDate = sort.endsWith('shipDate');
  const parts = [...(pet ? ['pet'] : []), ...(states > 0 ? ['status'] : [])];
  if (byDate) parts.push('date');
  else if (from || to) parts.push('zone');
  return parts.length === 0 ? primaryKey : `orders_by_${parts.join('_')}`;
}

/** A page in the middle of everything. */
function parametersFor(storeId: bigint) {
  const middle = BigInt(Date.parse('2023-05-15T00:00:00Z'));
  const id = BigInt(ORDERS / 2);
  return {
    storeId,
    petId: 5n,
    from: BigInt(Date.parse('2021-01-01T00:00:00Z')),
    to: BigInt(Date.parse('2025-01-01T00:00:00Z')),
    afterDate: middle,
    afterId: id,
    afterZone: id >> 12n,
    limit: 51n,
    status0: 'pending',
    status1: 'delivered',
    status2: 'cancelled',
  };
}

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
    FROM numbers`);
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

  it.each(orderSorts)('every page sorted by %s walks along its own index, and sorts nothing else', (sort) => {
    for (const shape of shapesOf(sort)) {
      const { sql } = pageQuery(shape).on('sqlite');
      const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as Step[];
      const what = JSON.stringify({ shape, plan }, undefined, 1);
      const index = indexFor(shape, 'PRIMARY KEY');
      const walks = plan
        .filter(({ detail }) => / orders\b/.test(detail))
        .filter(({ detail }) => !detail.endsWith('PRIMARY KEY (store_id=? AND id=?)'));
      expect(walks.length, what).toBeGreaterThan(0);
      for (const { detail, parent } of walks) {
        const search = new RegExp(`^SEARCH orders USING (COVERING INDEX |INDEX )?${index} \\(store_id=\\?`);
        expect(detail, what).toMatch(search);
        if (index.endsWith('zone')) continue;
        if (shape.after) expect(detail, what).toMatch(/id\)?[<>]/);
        const isSorted = plan.some((step) => step.parent === parent && step.detail.includes('TEMP B-TREE'));
        expect(isSorted, what).toBe(false);
      }
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
    await connection.query('VACUUM ANALYZE orders');
  });
  afterAll(async () => {
    await connection.end();
    await database[Symbol.asyncDispose]();
  });

  it.each(orderSorts)(
    'every page sorted by %s walks along its own index, and reads no more',
    async (sort) => {
      for (const shape of shapesOf(sort)) {
        const { sql, bind } = pageQuery(shape).on('postgres');
        const explain = `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, TIMING OFF, FORMAT JSON) ${sql}`;
        const { rows } = await connection.query(explain, bind(parametersFor(storeId)));
        const all = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
        const index = indexFor(shape, 'orders_pkey');
        const most = index.endsWith('zone') ? 3 * 4096 : 51;
        for (const read of all.filter((node) => node['Relation Name'] === 'orders')) {
          const what = JSON.stringify({ shape, read }, undefined, 1);
          expect(read['Node Type'], what).toMatch(/^(Index Scan|Index Only Scan|Bitmap Heap Scan)$/);
          const { 'Index Name': used, 'Index Cond': condition } = read['Index Name']
            ? read
            : (read.Plans?.[0] ?? read);
          expect([index, 'orders_pkey'], what).toContain(used);
          if (used !== index) expect(condition, what).toMatch(/\bid = /);
          const passed = (read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)) * read['Actual Loops'];
          expect(passed, what).toBeLessThanOrEqual(most);
        }
      }
    },
  );
});
