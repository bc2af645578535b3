import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { insertRow, lockRows, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';
import { ApiError } from '../http/errors.ts';
import { type KeyDetails, saveKey } from '../keys/manage-keys.ts';
import { ALL_WEEKS } from '../orders/order-counts.ts';
import { FIRST_REVISION, fillStore, type Rows } from '../provisioning/open-store.ts';
import { closeStore } from '../stores/end-stores.ts';
import { isOpenStore } from '../stores/find-store.ts';
import { storeOf, type Transaction, verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

/** In the making, `closed_at` lies ahead; each step moves it on. If steps stop, it passes, and the store is erased. */
const GIVEN_UP_MS = 10n * 60_000n;

type Prepared = { storeId: bigint; at: bigint };
type PrepareStore = Prepared & { nextOrderId: bigint; nextPetId: bigint };

export const prepareStore = verb('prepareStore', async (tx, store: PrepareStore) => {
  await insertRow(tx, 'stores', {
    id: store.storeId,
    owner: null,
    revision: 0n,
    next_order_id: store.nextOrderId,
    next_pet_id: store.nextPetId,
    created_at: store.at,
    closed_at: store.at + GIVEN_UP_MS,
  });
});

type AddRows = Prepared & Rows & { replacedId: bigint | null };

/** If the store that it is to replace was closed meanwhile, the work is not done in vain. */
export const addRows = verb('addRows', async (tx, { storeId, replacedId, at, ...rows }: AddRows) => {
  if (replacedId !== null && !(await isOpenStore(tx, replacedId))) throw new DomainError('unavailable');
  await prolongPrepared(tx, { storeId, at });
  await fillStore(tx, storeId, rows);
});

/** Puts off when the store is given up, and locks it. One that was given up is refused. */
async function prolongPrepared(tx: Transaction, { storeId, at }: Prepared): Promise<void> {
  const [kept] = await tx.all(setPreparedUntil, { storeId, at, until: at + GIVEN_UP_MS });
  if (!kept) throw new DomainError('unavailable');
}

export const abandonPreparedStore = verb('abandonPreparedStore', async (tx, { storeId, at }: Prepared) => {
  await tx.all(setPreparedUntil, { storeId, at, until: at });
});

const setPreparedUntil = query((db, p: Prepared & { until: bigint }) =>
  db
    .updateTable('stores')
    .set({ closed_at: p.until })
    .where('id', '=', p.storeId)
    .where('closed_at', '>', p.at)
    .returning('id'),
);

/** Requests that found the old store before it was replaced may still read it for so long. */
const READERS_MS = 60_000n;

type ReplaceStore = { replacedId: bigint; preparedId: bigint; beside: Beside | null; at: bigint };

/** Puts a prepared store in the place of another. Owner, keys, webhooks and requests stay; the rest goes with the old one. */
export const replaceStore = verb('replaceStore', async (tx, args: ReplaceStore) => {
  const { replacedId, preparedId, beside, at } = args;
  if (beside) await lockAndRequireTemporaryStoreCapacity(tx, beside, at);
  // Locked, so that any other change comes before, or finds the store closed.
  const open = { id: replacedId, closed_at: null };
  const [old] = await lockRows(tx, 'stores', open, ['owner', 'ends_at', 'tenant_id']);
  if (!old) throw new DomainError('unavailable');
  await prolongPrepared(tx, { storeId: preparedId, at });
  const revision = (await tx.lockStore(replacedId)).revision + 1n;
  await closeStore(tx, replacedId, at + READERS_MS);
  const opened = { ...old, tenant_id: old.tenant_id ?? replacedId, revision, closed_at: null };
  await updateRows(tx, 'stores', { id: preparedId }, opened);
  const moved = { store_id: preparedId };
  await updateRows(tx, 'keys', { store_id: replacedId }, moved);
  await updateRows(tx, 'webhooks', { store_id: replacedId }, { ...moved, next_due: 0n });
  tx.hasDueWebhooks = true;
  await updateRows(tx, 'requests', { store_id: replacedId }, moved);
  const { traceparent } = tx;
  await insertRow(tx, 'changes', { ...moved, revision, at, type: 'store.reset', traceparent });
  return { revision };
});

/** Where the store was replaced meanwhile, a change is unavailable, and refused by no rule: tried again, its key opens the new one. */
export function unavailableAfterReset(db: Connection, writer: Writer): Writer {
  return {
    ...writer,
    apply: (verb, args) =>
      writer.apply(verb, args).catch(async (error) => {
        const storeId =
          error instanceof DomainError && error.code === 'not_found' ? storeOf(args) : undefined;
        const isOpen = storeId === undefined || (await isOpenStore(db, storeId));
        throw isOpen ? error : new ApiError('unavailable');
      }),
  };
}

const MAX_TEMPORARY_STORES = 100n;
const MAX_LOOKS = 20;

/** What a tenant wants to have beside its first store: a store that `storeId` opens, or that takes its place. */
type Beside = { tenantId: bigint; storeId: bigint; orderCount: number; maxOrders: bigint };
type OpenTemporaryStore = { beside: Beside; preparedId: bigint; key: KeyDetails; endsAt: bigint; at: bigint };

export const openTemporaryStore = verb('openTemporaryStore', async (tx, args: OpenTemporaryStore) => {
  const { beside, preparedId, key, endsAt, at } = args;
  await lockAndRequireTemporaryStoreCapacity(tx, beside, at);
  await prolongPrepared(tx, { storeId: preparedId, at });
  const ends = { tenant_id: beside.tenantId, ends_at: endsAt };
  await updateRows(tx, 'stores', { id: preparedId }, { ...ends, revision: FIRST_REVISION, closed_at: null });
  await saveKey(tx, preparedId, { ...key, expires_at: endsAt }, at);
});

/** All stores beside a tenant's first one together may have as many orders as one store. */
export async function requireTemporaryStoreCapacity(
  connection: Connection,
  beside: Beside,
  at: bigint,
): Promise<void> {
  const { tenantId, storeId, orderCount, maxOrders } = beside;
  const stores = await connection.all(temporaryStores, { tenantId, at });
  const others = stores.filter(({ id }) => id !== storeId);
  if (others.length >= MAX_TEMPORARY_STORES) throw new DomainError('store_limit_reached');
  const all = others.reduce((sum, { orders }) => sum + orders, BigInt(orderCount));
  if (all > maxOrders) throw new DomainError('order_limit_reached');
}

/** Locks the opener, so that what is opened or reset at the same moment is counted one after the other. */
async function lockAndRequireTemporaryStoreCapacity(
  tx: Transaction,
  beside: Beside,
  at: bigint,
): Promise<void> {
  let [opener] = await tx.all(lockOpener, beside);
  // Found anew: each time that the lock is waited for, a reset may put another store in its place.
  for (let looks = 1; !opener && looks < MAX_LOOKS; looks++) [opener] = await tx.all(lockOpener, beside);
  if (!opener) throw new DomainError('unavailable');
  await requireTemporaryStoreCapacity(tx, beside, at);
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

const lockOpener = query((db, p: { tenantId: bigint }, engine) =>
  db
    .selectFrom('stores')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', p.tenantId), eb('tenant_id', '=', p.tenantId)]))
    .where('ends_at', 'is', null)
    .where('closed_at', 'is', null)
    .$if(engine === 'postgres', (rows) => rows.forNoKeyUpdate()),
);
