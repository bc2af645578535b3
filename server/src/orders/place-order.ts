import { hash } from 'node:crypto';
import { deleteRows, insertRow } from '../database/rows.ts';
import { findPet, takeUnits } from '../pets/pet.ts';
import { NO_QUOTA } from '../quotas.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import { findAnswer, keepAnswer, type Placement } from './kept-answers.ts';
import { type Order, type OrderFields, orderFields } from './order.ts';
import { totalOrders, updateCounts } from './order-counts.ts';
import { recordOrderChange } from './record-order-change.ts';

export interface PlaceOrder extends OrderFields {
  readonly storeId: bigint;
  readonly idempotencyKey: string | undefined;
  readonly mostOrders?: bigint;
  readonly mostRemembered?: bigint;
  readonly at: bigint;
  /** The time on the clock, by which idempotency keys expire; `at`, if the order is placed at that time. */
  readonly askedAt?: bigint;
}

export const USUAL_SHIPPING_MS = 3n * 86_400_000n;

export const placeOrder = verb('placeOrder', async (tx, request: PlaceOrder) => {
  const { storeId, idempotencyKey: key, askedAt = request.at, mostRemembered = NO_QUOTA } = request;
  if (key === undefined) {
    const placement: Placement = { order: await place(tx, request) };
    return { placement, replayed: false };
  }

  const store = await tx.lockStore(storeId);
  const asked = { storeId, key, fingerprint: fingerprintOf(request), askedAt };
  const kept = await findAnswer(tx, asked);
  if (kept) return { placement: kept, replayed: true };
  const placement = await place(tx, request).then((order) => ({ order }), refusalAsAnswer);
  const number = store.next_idempotency++;
  await keepAnswer(tx, asked, placement, number);
  // The answer that is so many older is now one too many. If the quota was lowered, pruning forgets the others.
  await deleteRows(tx, 'idempotency', { store_id: storeId, number: number - mostRemembered });
  return { placement, replayed: false };
});

/** Another list of fields makes other fingerprints: whoever retries across that upgrade is refused. */
function fingerprintOf(request: PlaceOrder): string {
  return hash('sha256', fieldNames.map((name) => request[name] ?? '').join());
}

const fieldNames = Object.keys(orderFields) as Array<keyof OrderFields>;

function refusalAsAnswer(error: unknown): Placement {
  if (error instanceof Refusal) return { refused: error.code };
  throw error;
}

async function place(tx: Transaction, request: PlaceOrder): Promise<Order> {
  const { storeId, petId, quantity, shipDate, at, mostOrders = NO_QUOTA } = request;
  const store = await tx.lockStore(storeId);
  // No order is ever deleted. Ids are counted from 1, unless a client chose them: only then there may be fewer.
  if (store.next_order_id > mostOrders && (await totalOrders(tx, storeId)) >= mostOrders)
    throw new Refusal('order_limit_reached');
  const revision = store.revision + 1n;
  const [taken] = await tx.all(takeUnits, { storeId, petId, units: quantity, revision });
  if (!taken) {
    const [pet] = await tx.all(findPet, { storeId, petId });
    throw new Refusal(pet ? 'insufficient_stock' : 'unknown_pet');
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
