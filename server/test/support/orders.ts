import type { TestDatabase } from './engines.ts';
import type { TestService, TestStore } from './service.ts';

export interface Order {
  id: bigint;
  petId: bigint;
  quantity: bigint;
  shipDate: string;
  complete: boolean;
}

const SHIP_DATE = Date.parse('2026-12-24T18:00:00.000Z');

/** Inserts pending orders into the database directly, each as a change to the store. */
export async function insertOrders(
  database: TestDatabase,
  { storeId }: { storeId: bigint },
  ids: readonly bigint[],
): Promise<void> {
  const [store] = await database.rows(`SELECT revision FROM stores WHERE id = ${storeId}`);
  const before = BigInt(store?.revision ?? 0);
  const rows = ids.map((id, i) => `(${id}, ${before + BigInt(i) + 1n})`);
  await database.exec(
    `UPDATE stores SET revision = ${before + BigInt(ids.length)} WHERE id = ${storeId};
     INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
     WITH given (id, revision) AS (VALUES ${rows})
     SELECT ${storeId}, id, 1, 1, ${SHIP_DATE}, 'pending', ${SHIP_DATE}, ${SHIP_DATE}, revision FROM given;
     INSERT INTO changes (store_id, revision, at, type, order_id, pet_id, quantity, ship_date, placed_at)
     SELECT store_id, revision, placed_at, 'order.placed', id, pet_id, quantity, ship_date, placed_at FROM orders
     WHERE store_id = ${storeId} AND revision > ${before}`,
  );
}

export async function listOrders({ request }: TestService, { key }: { key: string }): Promise<Order[]> {
  const response = await request('GET /v1/store/orders', { key });
  if (response.status !== 200) throw new Error(`listOrders returned ${response.status}`);
  return response.json<Order[]>();
}

export async function orderIds(service: TestService, store: TestStore): Promise<bigint[]> {
  return (await listOrders(service, store)).map(({ id }) => id);
}

/** IDs of the store's orders in one state. */
export async function idsWithStatus(
  { database }: Pick<TestService, 'database'>,
  { storeId }: { storeId: bigint },
  status: string,
): Promise<bigint[]> {
  const rows = await database.rows(
    `SELECT id FROM orders WHERE store_id = ${storeId} AND status = '${status}' ORDER BY id`,
  );
  return rows.map(({ id }) => id as bigint);
}
