import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderSorts, pageQuery, type Shape } from '../../src/orders/order-pages.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { runProgram } from '../support/program.ts';

const ORDERS = 30_000;
const bounds = [
  { from: false, to: false },
  { from: true, to: false },
  { from: false, to: true },
  { from: true, to: true },
];

/** Every query that a page can need. */
const shapes: Shape[] = orderSorts.flatMap((sort) =>
  [0, 1, 3].flatMap((states) =>
    [false, true].flatMap((pet) =>
      bounds.flatMap((range) => [false, true].map((after) => ({ sort, states, pet, ...range, after }))),
    ),
  ),
);

/** The one index that is made for the shape. */
function indexFor({ sort, states, pet, from, to }: Shape, primaryKey: string): string {
  const byDate = sort.endsWith('shipDate');
  const parts = [...(pet ? ['pet'] : []), ...(states > 0 ? ['status'] : [])];
  if (byDate) parts.push('date');
  else if (from || to) parts.push('zone');
  return parts.length === 0 ? primaryKey : `orders_by_${parts.join('_')}`;
}

function isMerged(shape: Shape): boolean {
  return shape.states > 1 || (!shape.sort.endsWith('shipDate') && (shape.from || shape.to));
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

async function seeded(
  engine: (typeof engines)[number],
): Promise<{ database: TestDatabase; storeId: bigint }> {
  const database = await engine.create();
  const { code, stderr } = await runProgram(['seed', '--orders', String(ORDERS), ...database.flags]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const [store] = await database.rows('SELECT id FROM stores');
  return { database, storeId: store?.id as bigint };
}

const [sqlite, postgres] = engines as [(typeof engines)[number], (typeof engines)[number]];

describe('query plans on sqlite', () => {
  let database: TestDatabase;
  let connection: DatabaseSync;
  beforeAll(async () => {
    ({ database } = await seeded(sqlite));
    connection = new DatabaseSync(`${database.location.data}/production.db`, { readOnly: true });
  });
  afterAll(async () => {
    connection.close();
    await database[Symbol.asyncDispose]();
  });

  it.each(shapes)('the page %o walks along its own index, and sorts nothing but the page', (shape) => {
    const { sql } = pageQuery(shape).on('sqlite');
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Array<{
      parent: number;
      detail: string;
    }>;
    const reads = plan.filter(({ detail }) => / orders\b/.test(detail));
    const walks = reads.filter(({ detail }) => !detail.endsWith('PRIMARY KEY (store_id=? AND id=?)'));
    expect(walks.length).toBeGreaterThan(0);
    for (const { detail, parent } of walks) {
      const index = indexFor(shape, 'PRIMARY KEY');
      expect(detail).toMatch(
        new RegExp(`^SEARCH orders USING (COVERING INDEX |INDEX )?${index} \\(store_id=\\?`),
      );
      const sorted = plan.some((step) => step.parent === parent && step.detail.includes('TEMP B-TREE'));
      expect([detail, sorted && !index.endsWith('zone')]).toEqual([detail, false]);
      if (shape.after && !index.endsWith('zone')) expect(detail).toMatch(/id[)]?[<>]/);
    }
    if (!isMerged(shape)) expect(plan).toHaveLength(1);
  });
});

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
    ({ database, storeId } = await seeded(postgres));
    connection = new pg.Client({ connectionString: database.location.database });
    await connection.connect();
    await connection.query('VACUUM ANALYZE orders');
  });
  afterAll(async () => {
    await connection.end();
    await database[Symbol.asyncDispose]();
  });

  it.each(shapes)(
    'the page %o walks along its own index, and reads little more than the page',
    async (shape) => {
      const { sql, bind } = pageQuery(shape).on('postgres');
      const { rows } = await connection.query(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
        bind(parametersFor(storeId)),
      );
      const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
      const reads = nodes.filter((node) => node['Relation Name'] === 'orders');
      const index = indexFor(shape, 'orders_pkey');
      const lookups = isMerged(shape) ? ['orders_pkey'] : [];
      for (const read of reads) {
        expect(read['Node Type']).toMatch(/^Index (Only )?Scan$/);
        expect([index, ...lookups]).toContain(read['Index Name']);
        const passed = (read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)) * read['Actual Loops'];
        expect(passed).toBeLessThanOrEqual(
          index.endsWith('zone') ? 3 * 4096 : 51 * Math.max(1, shape.states),
        );
      }
    },
  );
});
