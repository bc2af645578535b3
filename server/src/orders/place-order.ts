import { hash } from 'node:crypto';
import { query } from '../database/query.ts';
import { deleteRows, findRows, insertRow } from '../database/rows.ts';
import { DomainError, type DomainErrorCode } from '../domain/domain-error.ts';
import { MAX_CLIENT_CHOSEN_IDS, NO_QUOTA } from '../domain/quotas.ts';
import { adjustStock, findPet } from '../pets/pet.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { type Order, type OrderFields, orderFields, recordOrderChange } from './order.ts';
import { totalOrders, updateCounts } from './order-counts.ts';

export interface PlaceOrder extends OrderFields {
  readonly storeId: bigint;
  readonly idempotencyKey: string | undefined;
  readonly maxOrders?: bigint;
  readonly maxStoredKeys?: bigint;
  readonly at: bigint;
  /** Wall-clock time, by which idempotency keys expire; in the sandbox, `at` may differ. Defaults to `at`. */
  readonly requestedAt?: bigint;
}

/** Stored as JSON under the idempotency key, whether the order was placed or rejected: its names must not change. */
type Placement = { readonly order: Order } | { readonly refused: DomainErrorCode };

const DAY_MS = 86_400_000n;
const RETENTION_MS = DAY_MS;
const DELETE_BATCH = 100;
export const DEFAULT_SHIPPING_MS = 3n * DAY_MS;

export const placeOrder = verb('placeOrder', async (tx, request: PlaceOrder) => {
  const { storeId, idempotencyKey: key, requestedAt = request.at, maxStoredKeys = NO_QUOTA } = request;
  if (key === undefined) {
    const placement: Placement = { order: await place(tx, request) };
    return { placement, replayed: false };
  }

  const store = await tx.lockStore(storeId);
  const row = { store_id: storeId, key };
  const fingerprint = fingerprintOf(request);
  const [stored] = await findRows(tx, 'idempotency', row, ['fingerprint', 'answer', 'expires_at']);
  if (stored && stored.expires_at > requestedAt) {
    if (stored.fingerprint !== fingerprint) throw new DomainError('idempotency_key_reused');
    return { placement: parsePlacement(stored.answer), replayed: true };
  }
  const placement = await place(tx, request).then((order) => ({ order }), placementOfError);
  // The stored key has expired, but is not pruned yet.
  if (stored) await deleteRows(tx, 'idempotency', row);
  const number = store.next_idempotency++;
  const [answer, expires_at] = [serializePlacement(placement), requestedAt + RETENTION_MS];
  await insertRow(tx, 'idempotency', { ...row, fingerprint, answer, number, expires_at });
  // Two steps, because SQLite would scan all keys of the store to delete them by number.
  const excess = await tx.all(oldestKeys, { storeId, upTo: number - maxStoredKeys });
  for (const oldest of excess) await deleteRows(tx, 'idempotency', { store_id: storeId, key: oldest.key });
  return { placement, replayed: false };
});

/** The keys beyond the quota: one for each new key, more only after the quota was lowered. */
const oldestKeys = query((db, p: { storeId: bigint; upTo: bigint }) =>
  db
    .selectFrom('idempotency')
    .select('key')
    .where('store_id', '=', p.storeId)
    .where('number', '<=', p.upTo)
    .orderBy('number')
    .limit(DELETE_BATCH),
);

/** Adding a field changes fingerprints: retries across that upgrade are rejected. */
function fingerprintOf(request: PlaceOrder): string {
  return hash('sha256', fieldNames.map((name) => request[name] ?? '').join());
}

const fieldNames = Object.keys(orderFields) as Array<keyof OrderFields>;

function placementOfError(error: unknown): Placement {
  if (error instanceof DomainError) return { refused: error.code };
  throw error;
}

/** Integers as strings: int64 ids are not exact as JSON numbers in JavaScript. */
function serializePlacement(placement: Placement): string {
  return JSON.stringify(placement, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function parsePlacement(text: string): Placement {
  return JSON.parse(text, (_, value) => (/^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value));
}

async function place(tx: Transaction, request: PlaceOrder): Promise<Order> {
  const { storeId, petId, quantity, shipDate, at, maxOrders = NO_QUOTA } = request;
  const store = await tx.lockStore(storeId);
  // Ids count up from 1, so orders are counted only near the quota.
  if (
    store.next_order_id + MAX_CLIENT_CHOSEN_IDS > maxOrders &&
    (await totalOrders(tx, storeId)) >= maxOrders
  )
    throw new DomainError('order_limit_reached');
  const revision = store.revision + 1n;
  const [pet] = await tx.all(adjustStock, { storeId, petId, by: -quantity, revision });
  if (!pet) {
    const [existing] = await tx.all(findPet, { storeId, petId });
    throw new DomainError(existing ? 'insufficient_stock' : 'unknown_pet');
  }
  store.revision = revision;
  const order: Order = {
    id: store.next_order_id++,
    pet_id: petId,
    quantity,
    ship_date: shipDate ?? at + DEFAULT_SHIPPING_MS,
    status: 'pending',
    placed_at: at,
    updated_at: at,
  };
  await Promise.all([
    insertRow(tx, 'orders', { ...order, store_id: storeId, revision }),
    recordOrderChange(tx, order, { store_id: storeId, revision }),
    updateCounts(tx, storeId, { now: order }),
  ]);
  return order;
}
