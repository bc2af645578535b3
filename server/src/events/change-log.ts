import { sql } from 'kysely';
import { eachQuery } from '../database/each-query.ts';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { Order } from '../orders/order.ts';
import type { OrderStatus } from '../orders/states.ts';
import type { Pet } from '../pets/pet.ts';
import type { LockedStore, SharedWrite } from '../transaction/locked-store.ts';
import type { EventType } from './event-types.ts';

/** What brings an order into each state is told by an event of its own. */
export const orderEvents = {
  pending: 'order.placed',
  shipped: 'order.shipped',
  delivered: 'order.delivered',
  cancelled: 'order.cancelled',
} as const satisfies Record<OrderStatus, EventType>;

/** Appends to the log that this revision of the store made the order what it is now. */
export function recordOrderChange(store: LockedStore, order: Order, revision: bigint): void {
  store.writeAtEnd(orderChanges, {
    storeId: store.id,
    revision,
    at: order.updated_at,
    type: orderEvents[order.status],
    orderId: order.id,
    petId: order.pet_id,
    quantity: order.quantity,
    shipDate: order.ship_date,
    placedAt: order.placed_at,
  });
}

/** Appends to the log that this revision of the store made the pet what it is now. */
export function recordPetChange(
  store: LockedStore,
  type: 'pet.created' | 'pet.changed',
  pet: Pet,
  revision: bigint,
  at: bigint,
): void {
  const { id: petId, name, category, stock } = pet;
  store.writeAtEnd(petChanges, { storeId: store.id, revision, at, type, petId, name, category, stock });
}

/** Begins the log of a store that continues another one's revisions, under the same keys. */
export async function recordReset(
  connection: Connection,
  reset: { storeId: bigint; revision: bigint; at: bigint },
): Promise<void> {
  await connection.all(insertReset, reset);
}

const insertReset = query((db, p: { storeId: bigint; revision: bigint; at: bigint }) =>
  db
    .insertInto('changes')
    .values({ store_id: p.storeId, revision: p.revision, at: p.at, type: 'store.reset' satisfies EventType }),
);

interface Change {
  storeId: bigint;
  revision: bigint;
  at: bigint;
  type: EventType;
  petId: bigint;
}

interface OrderChanged extends Change {
  orderId: bigint;
  quantity: bigint;
  shipDate: bigint;
  placedAt: bigint;
}

interface PetChanged extends Change {
  name: string;
  category: string;
  stock: bigint;
}

const change = {
  storeId: 'bigint',
  revision: 'bigint',
  at: 'bigint',
  type: 'text',
  petId: 'bigint',
} as const;

const orderChanges: SharedWrite<OrderChanged> = {
  statement: eachQuery<OrderChanged>(
    { ...change, orderId: 'bigint', quantity: 'bigint', shipDate: 'bigint', placedAt: 'bigint' },
    ({ storeId, revision, at, type, petId, orderId, quantity, shipDate, placedAt }, { values }) => sql`
      INSERT INTO changes (store_id, revision, at, type, pet_id, order_id, quantity, ship_date, placed_at)
      ${values([storeId, revision, at, type, petId, orderId, quantity, shipDate, placedAt])}`,
  ),
  keyOf: ({ revision }) => revision,
  merge: (_, later) => later,
};

const petChanges: SharedWrite<PetChanged> = {
  statement: eachQuery<PetChanged>(
    { ...change, name: 'text', category: 'text', stock: 'bigint' },
    ({ storeId, revision, at, type, petId, name, category, stock }, { values }) => sql`
      INSERT INTO changes (store_id, revision, at, type, pet_id, name, category, stock)
      ${values([storeId, revision, at, type, petId, name, category, stock])}`,
  ),
  keyOf: ({ revision }) => revision,
  merge: (_, later) => later,
};
