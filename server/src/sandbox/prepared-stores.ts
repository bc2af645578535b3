import { query } from '../database/query.ts';
import { insertRow, lockRows, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';
import { type KeyDetails, saveKey } from '../keys/manage-keys.ts';
import { FIRST_REVISION, fillStore, type Rows } from '../provisioning/open-store.ts';
import { closeStore } from '../stores/end-stores.ts';
import { isOpenStore } from '../stores/find-store.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { type Capacity, lockCapacity } from './temporary-store-capacity.ts';

// A prepared store is filled in several transactions before it opens. Until then its `closed_at` is in the future,
// and every step postpones it: if the steps stop, the time passes and the store is erased like any closed one.
const PREPARATION_TIMEOUT_MS = 10n * 60_000n;

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
    closed_at: store.at + PREPARATION_TIMEOUT_MS,
  });
});

type AddRows = Prepared & Rows & { replacedId: bigint | null };

/** Fails early if the store to replace has been closed meanwhile. */
export const addRows = verb('addRows', async (tx, { storeId, replacedId, at, ...rows }: AddRows) => {
  if (replacedId !== null && !(await isOpenStore(tx, replacedId))) throw new DomainError('unavailable');
  await postponeTimeout(tx, { storeId, at });
  await fillStore(tx, storeId, rows);
});

export const abandonPreparedStore = verb('abandonPreparedStore', async (tx, { storeId, at }: Prepared) => {
  await tx.all(setClosedAt, { storeId, at, closedAt: at });
});

/** Also locks the row. Fails once the preparation has timed out. */
async function postponeTimeout(tx: Transaction, { storeId, at }: Prepared): Promise<void> {
  const [store] = await tx.all(setClosedAt, { storeId, at, closedAt: at + PREPARATION_TIMEOUT_MS });
  if (!store) throw new DomainError('unavailable');
}

const setClosedAt = query((db, p: Prepared & { closedAt: bigint }) =>
  db
    .updateTable('stores')
    .set({ closed_at: p.closedAt })
    .where('id', '=', p.storeId)
    .where('closed_at', '>', p.at)
    .returning('id'),
);

/** Requests that looked up the old store before it was replaced can read it for this long. */
const READ_GRACE_MS = 60_000n;

/** Null lifts the limit; undefined leaves it as it is. */
export type StoreRateLimit = { readonly requests: bigint; readonly seconds: bigint } | null | undefined;

const rateColumns = (limit: StoreRateLimit) =>
  limit === undefined ? {} : { rate_requests: limit?.requests ?? null, rate_seconds: limit?.seconds ?? null };

type ReplaceStore = {
  replacedId: bigint;
  preparedId: bigint;
  capacity: Capacity | null;
  rateLimit: StoreRateLimit;
  at: bigint;
};

/** Swaps a prepared store in for an open one. Owner, keys, webhooks and recorded requests move to the new store. */
export const replaceStore = verb('replaceStore', async (tx, args: ReplaceStore) => {
  const { replacedId, preparedId, capacity, rateLimit, at } = args;
  if (capacity) await lockCapacity(tx, capacity, at);
  // Concurrent changes either commit before this lock or find the store closed.
  const open = { id: replacedId, closed_at: null };
  const movedColumns = ['owner', 'ends_at', 'tenant_id', 'rate_requests', 'rate_seconds'] as const;
  const [old] = await lockRows(tx, 'stores', open, movedColumns);
  if (!old) throw new DomainError('unavailable');
  await postponeTimeout(tx, { storeId: preparedId, at });
  const revision = (await tx.lockStore(replacedId)).revision + 1n;
  await closeStore(tx, replacedId, at + READ_GRACE_MS);
  const opened = {
    ...old,
    tenant_id: old.tenant_id ?? replacedId,
    revision,
    closed_at: null,
    ...rateColumns(rateLimit),
  };
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

type OpenTemporaryStore = {
  capacity: Capacity;
  preparedId: bigint;
  key: KeyDetails;
  rateLimit: StoreRateLimit;
  endsAt: bigint;
  at: bigint;
};

export const openTemporaryStore = verb('openTemporaryStore', async (tx, args: OpenTemporaryStore) => {
  const { capacity, preparedId, key, rateLimit, endsAt, at } = args;
  await lockCapacity(tx, capacity, at);
  await postponeTimeout(tx, { storeId: preparedId, at });
  const opened = {
    tenant_id: capacity.tenantId,
    ends_at: endsAt,
    revision: FIRST_REVISION,
    closed_at: null,
    ...rateColumns(rateLimit),
  };
  await updateRows(tx, 'stores', { id: preparedId }, opened);
  await saveKey(tx, preparedId, { ...key, expires_at: endsAt }, at);
});
