import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import { query } from '../database/query.ts';
import { recordOrderChange } from '../events/change-log.ts';
import { findPet } from '../pets/find-pet.ts';
import { takeStock } from '../pets/take-stock.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';
import type { SharedWrite } from '../transaction/locked-store.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { type Order, orderColumns } from './order.ts';
import { orderSum } from './order-sum.ts';
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
  if (kept) return { placement: readAnswer(kept.answer, storeId), replayed: true };

  const placement = await place(tx, request).then((order) => ({ order }), asAnswer);
  const store = tx.store(storeId);
  const number = store.nextIdempotency();
  store.changed = true;
  const { mostRemembered = NO_QUOTA } = request;
  const [saved] = await tx.all(keepAnswer, {
    storeId,
    key,
    number,
    fingerprint,
    answer: writeAnswer(placement),
    at,
    expiresAt: at + KEPT_MS,
  });
  // Alone, whoever comes second finds the answer of the first.
  if (!saved) throw new Error('two changes of one group have the same idempotency key');
  // The one that this one takes the place of; if more than that are too many, they are pruned later.
  await tx.all(forgetAnswer, { storeId, number: store.idempotency - mostRemembered });
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
    const taken = await takeStock(tx, { storeId, petId, units: quantity, revision });
    if (taken) return { id: store.nextOrderId(), revision };
    const pet = await findPet(tx, { storeId, petId });
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
  store.writeAtEnd(newOrders, { ...order, storeId, revision });
  recordOrderChange(store, order, revision);
  widenZoneOf(store, order);
  return order;
}

function asAnswer(error: unknown): Placement {
  if (error instanceof Refusal) return { refused: error.code };
  throw error;
}

/** Integers as text: an order's ids go beyond what JSON numbers keep in JavaScript. Its sum comes before it. */
function writeAnswer(placement: Placement): string {
  const text = JSON.stringify(placement, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return `${crc32(text)} ${text}`;
}

function readAnswer(kept: string, storeId: bigint): Placement {
  const text = kept.slice(kept.indexOf(' ') + 1);
  if (`${crc32(text)} ${text}` !== kept)
    throw new Error(
      `the database is damaged: the answer kept under a key of store ${storeId} is not as written`,
    );
  return JSON.parse(text, (_, value) => (/^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value));
}

type NewOrder = Order & { storeId: bigint; revision: bigint };

const insertOrder = eachQuery<NewOrder>(
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
  ({ storeId, ...order }, { values }) => sql`
    INSERT INTO orders (store_id, revision, sum, ${sql.join(orderColumns.map((column) => sql.ref(column)))})
    ${values([storeId, order.revision, orderSum((column) => order[column]), ...orderColumns.map((column) => order[column])])}`,
);

const newOrders: SharedWrite<NewOrder> = {
  statement: insertOrder,
  keyOf: ({ id }) => id,
  merge: (_, later) => later,
};

const findAnswer = query((db, p: { storeId: bigint; key: string; at: bigint }) =>
  db
    .selectFrom('idempotency')
    .select(['fingerprint', 'answer'])
    .where('store_id', '=', p.storeId)
    .where('key', '=', p.key)
    .where('expires_at', '>', p.at),
);

const forgetAnswer = query((db, p: { storeId: bigint; number: bigint }) =>
  db.deleteFrom('idempotency').where('store_id', '=', p.storeId).where('number', '=', p.number),
);

interface KeptAnswer {
  storeId: bigint;
  key: string;
  fingerprint: string;
  answer: string;
  number: bigint;
  at: bigint;
  expiresAt: bigint;
}

/** In the place of one that has expired and was not pruned yet. */
const keepAnswer = query((db, p: KeptAnswer) => {
  const answer = {
    fingerprint: p.fingerprint,
    answer: p.answer,
    number: p.number,
    expires_at: p.expiresAt,
  };
  return db
    .insertInto('idempotency')
    .values({ store_id: p.storeId, key: p.key, ...answer })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'key']).doUpdateSet(answer).where('idempotency.expires_at', '<=', p.at),
    )
    .returning('number');
});
