import { sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { locked, query } from '../database/query.ts';
import type { Caller } from '../http/server/caller.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import { FIRST_REVISION } from '../orders/insert-rows.ts';
import { ALL_WEEKS } from '../orders/order-counts.ts';
import type { Quotas } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';
import type { Contents } from './data-sets.ts';
import { MOST_BESIDE } from './limits.ts';
import { openPrepared, preparedStore } from './replace-store.ts';

export interface OpenBeside {
  /** Whose store it becomes, as limits are counted. */
  readonly tenantId: bigint;
  /** A store that was prepared for this. */
  readonly by: bigint;
  readonly key: KeyDetails;
  readonly endsAt: bigint;
  readonly at: bigint;
}

/** Opens a prepared store beside that of a tenant, with a key of its own, until both end. */
export const openBeside = verb(
  'openBeside',
  async (tx, { tenantId, by, key, endsAt, at }: OpenBeside): Promise<{ revision: bigint }> => {
    const [opener] = await tx.all(openerOf, { tenantId });
    const [prepared] = await tx.all(preparedStore, { storeId: by, at });
    if (!opener || !prepared) throw new Refusal('unavailable');
    await refuseStoreBeyond(tx, tenantId, at);
    await tx.all(openPrepared, { storeId: by, owner: null, tenantId, endsAt, revision: FIRST_REVISION });
    await saveKey(tx, by, key, at);
    return { revision: FIRST_REVISION };
  },
);

/** Refuses one store more than may be open beside another. */
export async function refuseStoreBeyond(connection: Connection, tenantId: bigint, at: bigint): Promise<void> {
  const [beside] = await connection.all(countBeside, { tenantId, at });
  if ((beside?.count ?? 0n) >= MOST_BESIDE) throw new Refusal('store_limit_reached');
}

/** Stores that were opened beside another have as many orders as a store may have, all of them together. */
export async function refuseOrdersBeyond(
  connection: Connection,
  { tenantId, storeId: except }: Caller,
  { orderCount }: Contents,
  quotas: Quotas,
  now: number,
): Promise<void> {
  const [others] = await connection.all(ordersBeside, { tenantId, except, at: BigInt(now) });
  if ((others?.count ?? 0n) + BigInt(orderCount) > quotas.orders) throw new Refusal('order_limit_reached');
}

interface Beside {
  readonly tenantId: bigint;
  readonly at: bigint;
}

const countBeside = query((db, p: Beside) =>
  db
    .selectFrom('stores')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', p.tenantId)
    .where('ends_at', '>', p.at)
    .where('closed_at', 'is', null),
);

/** How many orders all stores that are open beside a tenant's have together, but for one of them. */
const ordersBeside = query((db, p: Beside & { except: bigint }) =>
  db
    .selectFrom('order_counts')
    .innerJoin('stores', 'stores.id', 'order_counts.store_id')
    .select(sql<bigint>`CAST(coalesce(sum(count), 0) AS bigint)`.as('count'))
    .where('week', '=', ALL_WEEKS)
    .where('tenant_id', '=', p.tenantId)
    .where('ends_at', '>', p.at)
    .where('closed_at', 'is', null)
    .where('stores.id', '!=', p.except),
);

/** Locked: of two that open the last store that may be, the second finds it open. */
const openerOf = query((db, p: { tenantId: bigint }, engine) =>
  locked(
    engine,
    db
      .selectFrom('stores')
      .select('id')
      .where((eb) => eb.or([eb('id', '=', p.tenantId), eb('tenant_id', '=', p.tenantId)]))
      .where('ends_at', 'is', null)
      .where('closed_at', 'is', null),
  ),
);
