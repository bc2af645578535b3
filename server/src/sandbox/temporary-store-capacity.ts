import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { DomainError } from '../domain/domain-error.ts';
import { ALL_WEEKS } from '../orders/order-counts.ts';
import type { Transaction } from '../writer/verb.ts';

const MAX_TEMPORARY_STORES = 100n;
const MAX_LOCK_ATTEMPTS = 20;

/** The orders that a temporary store is about to hold. `storeId` is the store it replaces, or the store creating it. */
export type Capacity = { tenantId: bigint; storeId: bigint; orderCount: number; maxOrders: bigint };

/** All temporary stores of a tenant share the order limit of one store. */
export async function requireCapacity(connection: Connection, capacity: Capacity, at: bigint): Promise<void> {
  const { tenantId, storeId, orderCount, maxOrders } = capacity;
  const stores = await connection.all(temporaryStores, { tenantId, at });
  const others = stores.filter(({ id }) => id !== storeId);
  if (others.length >= MAX_TEMPORARY_STORES) throw new DomainError('store_limit_reached');
  const total = others.reduce((sum, { orders }) => sum + orders, BigInt(orderCount));
  if (total > maxOrders) throw new DomainError('order_limit_reached');
}

/** Locks the tenant's first store, so that concurrent requests are counted one after the other. */
export async function lockCapacity(tx: Transaction, capacity: Capacity, at: bigint): Promise<void> {
  let [first] = await tx.all(lockFirstStore, capacity);
  // A reset can replace the store while this waits for the lock.
  for (let attempts = 1; !first && attempts < MAX_LOCK_ATTEMPTS; attempts++)
    [first] = await tx.all(lockFirstStore, capacity);
  if (!first) throw new DomainError('unavailable');
  await requireCapacity(tx, capacity, at);
}

const temporaryStores = query((db, p: { tenantId: bigint; at: bigint }) =>
  db
    .selectFrom('stores')
    .leftJoin('order_counts', (on) => on.onRef('store_id', '=', 'stores.id').on('week', '=', ALL_WEEKS))
    .select(['stores.id', sql<bigint>`CAST(coalesce(sum(count), 0) AS bigint)`.as('orders')])
    .where('tenant_id', '=', p.tenantId)
    .where('ends_at', '>', p.at)
    .where('closed_at', 'is', null)
    .groupBy('stores.id'),
);

const lockFirstStore = query((db, p: { tenantId: bigint }, engine) =>
  db
    .selectFrom('stores')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', p.tenantId), eb('tenant_id', '=', p.tenantId)]))
    .where('ends_at', 'is', null)
    .where('closed_at', 'is', null)
    .$if(engine === 'postgres', (rows) => rows.forNoKeyUpdate()),
);
