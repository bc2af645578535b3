import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import { query } from '../database/query.ts';
import { recordOrderChange } from '../events/change-log.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { type Order, orderColumns } from './order.ts';
import { widenZoneOf } from './order-zones.ts';

export interface PlaceOrder {
  readonly storeId: bigint;
  readonly petId: bigint;
  readonly quantity: bigint;
  /** When to ship; undefined for the usual time. */
  readonly shipDate: bigint | undefined;
  readonly idempotencyKey: string | undefined;
  /** How many orders the store may have, and how many idempotency keys are remembered. */
  readonly mostOrders?: bigint;
  readonly mostRemembered?: bigint;
  readonly at: bigint;
  /** The time on the clock, if not `at`: idempotency keys are kept by it, whatever moment an order is placed at. */
  readonly askedAt?: bigint;
}

/** What was answered: kept under the idempotency key, whether the order was placed or not. */
export type Placement = { readonly order: Order } | { readonly refused: RefusalCode };

const USUAL_SHIPPING_MS = 3n * 86_400_000n;
const KEPT_MS = 86_400_000n;
/** No group places as many orders as this. */
const MOST_AT_ONCE = 1_000n;

/** Places an order and takes its units from the pet's stock; with an idempotency key, at most once. */
export async function placeOrder(
  tx: Transaction,
  request: PlaceOrder,
): Promise<{ placement: Placement; replayed: boolean }> {
  const { storeId, idempotencyKey: key, askedAt: at = request.at } = request;
  if (key === undefined) return { placement: { order: await place(tx, request) }, replayed: false };

  const fingerprint = hash('sha256', [request.petId, request.quantity, request.shipDate ?? ''].join());
  const [kept] = await tx.all(findAnswer, { storeId, key, at });
  if (kept && kept.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
  if (kept) return { placement: readAnswer(kept.answer), replayed: true };

  const placement = await place(tx, request).then((order) => ({ order }), asAnswer);
  const store = tx.store(storeId);
  const number = store.nextIdempotency();
  store.changed = true;
  const { mostRemembered = NO_QUOTA } = request;
  await tx.all(forgetExpired, { storeId, at });
  await tx.all(keepAnswer, {
    storeId,
    key,
    number,
    fingerprint,
    answer: writeAnswer(placement),
    expiresAt: at + KEPT_MS,
  });
  await tx.all(forgetOldest, { storeId, last: store.idempotency - mostRemembered });
  return { placement, replayed: false };
}

async function place(
  tx: Transaction,
  { storeId, petId, quantity, shipDate, at, mostOrders = NO_QUOTA }: PlaceOrder,
): Promise<Order> {
  const store = tx.store(storeId);
  const take = async () => {
    if (store.orders >= mostOrders) throw new Refusal('order_limit_reached');
    const revision = store.nextRevision();
    const [taken] = await tx.all(takeStock, { storeId, petId, quantity, revision });
    if (taken) return { id: store.nextOrderId(), revision };
    const [pet] = await tx.all(petExists, { storeId, petId });
    throw new Refusal(pet ? 'insufficient_stock' : 'unknown_pet');
  };
  // Near the limit, one after the other: the last place is for an order that is really placed.
  const isNearLimit = mostOrders - store.orders < MOST_AT_ONCE;
  const { id, revision } = await (isNearLimit ? store.inTurn(take) : take());
  const order: Order = {
    id,
    pet_id: petId,
    quantity,
    ship_date: shipDate ?? at + USUAL_SHIPPING_MS,
    status: 'pending',
    placed_at: at,
    updated_at: at,
  };
  await tx.each(insertOrder, () => ({ ...order, storeId, revision }));
  recordOrderChange(store, order, revision);
  widenZoneOf(store, order);
  return order;
}

function asAnswer(error: unknown): Placement {
  if (error instanceof Refusal) return { refused: error.code };
  throw error;
}

/** Integers as text: an order's ids go beyond what JSON numbers keep in JavaScript. */
function writeAnswer(placement: Placement): string {
  return JSON.stringify(placement, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function readAnswer(text: string): Placement {
  return JSON.parse(text, (_, value) => (/^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value));
}

const takeStock = query((db, p: { storeId: bigint; petId: bigint; quantity: bigint; revision: bigint }) =>
  db
    .updateTable('pets')
    .set((eb) => ({ stock: eb('stock', '-', p.quantity), revision: p.revision }))
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId)
    .where('stock', '>=', p.quantity)
    .returning('id'),
);

const petExists = query((db, p: { storeId: bigint; petId: bigint }) =>
  db.selectFrom('pets').select('id').where('store_id', '=', p.storeId).where('id', '=', p.petId),
);

const insertOrder = eachQuery<Order & { storeId: bigint; revision: bigint }>(
  {
    id: 'bigint',
    pet_id: 'bigint',
    quantity: 'bigint',
    ship_date: 'bigint',
    status: 'text',
    placed_at: 'bigint',
    updated_at: 'bigint',
    storeId: 'bigint',
    revision: 'bigint',
  },
  ({ storeId, revision, ...order }, from) => sql`
    INSERT INTO orders (store_id, revision, ${sql.join(orderColumns.map((column) => sql.ref(column)))})
    SELECT ${storeId}, ${revision}, ${sql.join(orderColumns.map((column) => order[column]))} ${from}`,
);

const findAnswer = query((db, p: { storeId: bigint; key: string; at: bigint }) =>
  db
    .selectFrom('idempotency')
    .select(['fingerprint', 'answer'])
    .where('store_id', '=', p.storeId)
    .where('key', '=', p.key)
    .where('expires_at', '>', p.at),
);

const forgetExpired = query((db, p: { storeId: bigint; at: bigint }) =>
  db.deleteFrom('idempotency').where('store_id', '=', p.storeId).where('expires_at', '<=', p.at),
);

const forgetOldest = query((db, p: { storeId: bigint; last: bigint }) =>
  db.deleteFrom('idempotency').where('store_id', '=', p.storeId).where('number', '<=', p.last),
);

const keepAnswer = query(
  (
    db,
    p: {
      storeId: bigint;
      key: string;
      fingerprint: string;
      answer: string;
      number: bigint;
      expiresAt: bigint;
    },
  ) =>
    db.insertInto('idempotency').values({
      store_id: p.storeId,
      key: p.key,
      fingerprint: p.fingerprint,
      answer: p.answer,
      number: p.number,
      expires_at: p.expiresAt,
    }),
);
