import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type DatabaseLocation, databaseFile } from './petstore.ts';

/** IDs of added stores start after this one; that of the store under test is random, and usually larger. */
const FIRST_ID = 1_000_000_000;
const PETS = 12;

/** What the scale benchmark increases, one at a time, to measure its effect on the cost of a request. */
export const growths = ['stores', 'orders', 'webhooks', 'events'] as const;
export type Growth = (typeof growths)[number];

/** Inserts rows with SQL: other stores with their pets, webhooks of other stores, or events and idempotency keys of the store under test. */
export async function addRows(location: DatabaseLocation, growth: Growth, count: number): Promise<void> {
  const statements = statementsFor(growth, count);
  if (location.engine === 'sqlite') {
    using db = new DatabaseSync(databaseFile(location));
    db.exec(['BEGIN', ...statements, 'COMMIT'].join(';\n'));
    return;
  }
  const client = new pg.Client({ connectionString: location.url });
  await client.connect();
  // So that neither autovacuum nor a checkpoint of these rows runs during a sample.
  for (const statement of [...statements, 'VACUUM ANALYZE', 'CHECKPOINT']) await client.query(statement);
  await client.end();
}

/** SQL for both engines. Orders are not added here: `seed` has generated them. */
function statementsFor(growth: Growth, count: number): string[] {
  if (count === 0 || growth === 'orders') return [];
  const now = Date.now();
  const rows = (number: number) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${number})`;
  const insertStores = (number: number) => [
    `INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at)
     ${rows(number)} SELECT ${FIRST_ID} + i, 0, 1, ${PETS + 1}, ${now} FROM n`,
    `INSERT INTO keys (hash, id, store_id, name, last_four, scope, created_at)
     ${rows(number)} SELECT 'hash ' || i, 'key ' || i, ${FIRST_ID} + i, 'bench', '0000', 'full', ${now} FROM n`,
    `INSERT INTO pets (store_id, id, name, category, stock, revision)
     ${rows(number * PETS)} SELECT ${FIRST_ID} + 1 + (i - 1) / ${PETS}, 1 + (i - 1) % ${PETS}, 'Rex', 'dog', 1, 0 FROM n`,
  ];
  const own = `(SELECT min(id) FROM stores)`;
  const revision = `(SELECT revision FROM stores WHERE id = ${own})`;
  const later = now + 86_400_000;
  switch (growth) {
    case 'stores':
      return insertStores(count);
    case 'webhooks':
      return [
        ...insertStores(count),
        `INSERT INTO webhooks (id, store_id, url, types, secret, active, created_at, revision, next_delivery_id)
         ${rows(count)} SELECT 'webhook ' || i, ${FIRST_ID} + i, 'http://127.0.0.1:9/', '', 'none', 1, ${now}, 0, 1 FROM n`,
      ];
    case 'events':
      return [
        `INSERT INTO changes (store_id, revision, at, type, pet_id, name, category, stock)
         ${rows(count)} SELECT ${own}, ${revision} + i, ${now}, 'pet.updated', 1, 'Rex', 'dog', 1 FROM n`,
        `INSERT INTO idempotency (store_id, key, fingerprint, answer, number, expires_at)
         ${rows(count)} SELECT ${own}, 'key ' || i, 'none', '{}', i, ${later} FROM n`,
        `UPDATE stores SET revision = revision + ${count}, next_idempotency = ${count + 1} WHERE id = ${own}`,
      ];
  }
}
