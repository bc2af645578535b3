import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { findRows } from '../database/rows.ts';

/** Limits are counted per tenant: the id of the original store, which resets do not change. */
export const tenantId = sql<bigint>`coalesce(stores.tenant_id, stores.id)`;

export const isOpenAt = (at: bigint) =>
  sql<boolean>`stores.closed_at IS NULL AND (stores.ends_at IS NULL OR stores.ends_at > ${at})`;

/** A temporary store that has expired counts as open until a background job closes it. */
export async function isOpenStore(connection: Connection, storeId: bigint): Promise<boolean> {
  return (await findRows(connection, 'stores', { id: storeId, closed_at: null }, ['id'])).length > 0;
}

export async function storeRevision(snapshot: Connection, storeId: bigint): Promise<bigint> {
  const [store] = await findRows(snapshot, 'stores', { id: storeId }, ['revision']);
  return store?.revision ?? 0n;
}

export async function countStores(db: Connection): Promise<number> {
  return Number((await db.all(countAll, {}))[0]?.count);
}

const countAll = query((db, _: Record<never, never>) =>
  db.selectFrom('stores').select((eb) => eb.fn.countAll<bigint>().as('count')),
);
