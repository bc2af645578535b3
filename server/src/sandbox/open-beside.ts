import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { updateRows } from '../database/rows.ts';
import type { Caller } from '../http/server/request.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import { FIRST_REVISION } from '../orders/open-store.ts';
import { ALL_WEEKS } from '../orders/order-counts.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import type { Contents } from './data-sets.ts';
import { keepPrepared } from './replace-store.ts';
import type { SandboxServices } from './sandbox.ts';

const MOST_BESIDE = 100n;

type OpenBeside = { tenantId: bigint; preparedId: bigint; key: KeyDetails; endsAt: bigint; at: bigint };

export const openBeside = verb(
  'openBeside',
  async (tx, { tenantId, preparedId, key, endsAt, at }: OpenBeside) => {
    const [opener] = await tx.all(openerOf, { tenantId });
    if (!opener) throw new Refusal('unavailable');
    await refuseTooManyStores(tx, tenantId, at);
    await keepPrepared(tx, { storeId: preparedId, at });
    const opened = { revision: FIRST_REVISION, tenant_id: tenantId, ends_at: endsAt, closed_at: null };
    await updateRows(tx, 'stores', { id: preparedId }, opened);
    await saveKey(tx, preparedId, { ...key, expires_at: endsAt }, at);
  },
);

export async function refuseTooManyStores(
  connection: Connection,
  tenantId: bigint,
  at: bigint,
): Promise<void> {
  const stores = await connection.all(storesBeside, { tenantId, at });
  if (stores.length >= MOST_BESIDE) throw new Refusal('store_limit_reached');
}

/** All stores beside a tenant's first one together may have as many orders as one store. */
export async function refuseTooManyOrders(
  { db, quotas, clock }: SandboxServices,
  { tenantId, storeId }: Caller,
  { orderCount }: Contents,
): Promise<void> {
  const stores = await db.all(storesBeside, { tenantId, at: BigInt(clock()) });
  const others = stores.filter(({ id }) => id !== storeId);
  const all = others.reduce((sum, { orders }) => sum + orders, BigInt(orderCount));
  if (all > quotas.orders) throw new Refusal('order_limit_reached');
}

const storesBeside = query((db, p: { tenantId: bigint; at: bigint }) =>
  db
    .selectFrom('stores')
    .leftJoin('order_counts', (on) => on.onRef('store_id', '=', 'stores.id').on('week', '=', ALL_WEEKS))
    .select(['stores.id', sql<bigint>`CAST(coalesce(sum(count), 0) AS bigint)`.as('orders')])
    .where('tenant_id', '=', p.tenantId)
    .where('ends_at', '>', p.at)
    .where('closed_at', 'is', null)
    .groupBy('stores.id'),
);

/** Locked, so that two that open a store at the same moment are counted one after the other. */
const openerOf = query((db, p: { tenantId: bigint }, engine) =>
  db
    .selectFrom('stores')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', p.tenantId), eb('tenant_id', '=', p.tenantId)]))
    .where('ends_at', 'is', null)
    .where('closed_at', 'is', null)
    .$if(engine === 'postgres', (rows) => rows.forNoKeyUpdate()),
);
