import { hash } from 'node:crypto';
import { query } from '../database/query.ts';
import { deleteRows, findRows, insertRow } from '../database/rows.ts';
import { DomainError, type DomainErrorCode } from '../domain/domain-error.ts';
import { MAX_CLIENT_CHOSEN_IDS, NO_QUOTA } from '../domain/quotas.ts';
import { findPet, moveStock } from '../pets/pet.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { type Order, type OrderFields, orderFields, recordOrderChange } from './order.ts';
import { totalOrders, updateCounts } from './order-counts.ts';

export interface PlaceOrder extends OrderFields {
  readonly storeId: bigint;
  readonly idempotencyKey: string | undefined;
  readonly maxOrders?: bigint;
  readonly maxStoredKeys?: bigint;
  readonly at: bigint;
  /** The time on the clock, by which idempotency keys expire: in the sandbox, `at` may be another. By default `at`. */
  readonly askedAt?: bigint;
}

/** The answer to a placement, kept under its idempotency key whether the order was placed or not. */
type Placement = { readonly order: Order } | { readonly refused: DomainErrorCode };

const DAY_MS = 86_400_000n;
const RETENTION_MS = DAY_MS;
const MAX_FORGOTTEN_AT_ONCE = 100;
export const USUAL_SHIPPING_MS = 3n * DAY_MS;

export const placeOrder = verb('placeOrder', async (tx, request: PlaceOrder) => {
  const { storeId, idempotencyKey: key, askedAt = request.at, maxStoredKeys = NO_QUOTA } = request;
  if (key === undefined) {
    const placement: Placement = { order: await place(tx, request) };
    return { placement, replayed: false };
  }

  const store = await tx.lockStore(storeId);
  const ofKey = { store_id: storeId, key };
  const fingerprint = fingerprintOf(request);
  const [kept] = await findRows(tx, 'idempotency', ofKey, ['fingerprint', 'answer', 'expires_at']);
  if (kept && kept.expires_at > askedAt) {
    if (kept.fingerprint !== fingerprint) throw new DomainError('idempotency_key_reused');
    return { placement: readResponse(kept.answer), replayed: true };
  }
  const placement = await place(tx, request).then((order) => ({ order }), domainErrorAsResponse);
  // One that has expired may not be pruned yet.
  if (kept) await deleteRows(tx, 'idempotency', ofKey);
  // A store numbers its answers: the smallest number is the oldest answer.
  const number = store.next_idempotency++;
  const [answer, expires_at] = [writeResponse(placement), askedAt + RETENTION_MS];
  await insertRow(tx, 'idempotency', { ...ofKey, fingerprint, answer, number, expires_at });
  // Found first: SQLite would delete by number only after a look at every response of the store.
  const beyond = await tx.all(oldestKeys, { storeId, upTo: number - maxStoredKeys });
  for (const oldest of beyond) await deleteRows(tx, 'idempotency', { store_id: storeId, key: oldest.key });
  return { placement, replayed: false };
});

/** One for each new key; more only after the quota was lowered, until no more than the quota are left. */
const oldestKeys = query((db, p: { storeId: bigint; upTo: bigint }) =>
  db
    .selectFrom('idempotency')
    .select('key')
    .where('store_id', '=', p.storeId)
    .where('number', '<=', p.upTo)
    .orderBy('number')
    .limit(MAX_FORGOTTEN_AT_ONCE),
);

/** Another list of fields makes other fingerprints: whoever retries across that upgrade is refused. */
function fingerprintOf(request: PlaceOrder): string {
  return hash('sha256', fieldNames.map((name) => request[name] ?? '').join());
}

const fieldNames = Object.keys(orderFields) as Array<keyof OrderFields>;

function domainErrorAsResponse(error: unknown): Placement {
  if (error instanceof DomainError) return { refused: error.code };
  throw error;
}

/** Integers as text: an order's ids go beyond what JSON numbers keep in JavaScript. */
function writeResponse(placement: Placement): string {
  return JSON.stringify(placement, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function readResponse(text: string): Placement {
  return JSON.parse(text, (_, value) => (/^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value));
}

async function place(tx: Transaction, request: PlaceOrder): Promise<Order> {
  const { storeId, petId, quantity, shipDate, at, maxOrders = NO_QUOTA } = request;
  const store = await tx.lockStore(storeId);
  // No order is ever deleted, and ids are counted from 1: far from the quota, there is nothing to count.
  if (
    store.next_order_id + MAX_CLIENT_CHOSEN_IDS > maxOrders &&
    (await totalOrders(tx, storeId)) >= maxOrders
  )
    throw new DomainError('order_limit_reached');
  const revision = store.revision + 1n;
  const [taken] = await tx.all(moveStock, { storeId, petId, by: -quantity, revision });
  if (!taken) {
    const [pet] = await tx.all(findPet, { storeId, petId });
    throw new DomainError(pet ? 'insufficient_stock' : 'unknown_pet');
  }
  store.revision = revision;
  const order: Order = {
    id: store.next_order_id++,
    pet_id: petId,
    quantity,
    ship_date: shipDate ?? at + USUAL_SHIPPING_MS,
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
