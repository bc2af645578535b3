import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { Order } from '../orders/order.ts';
import type { Pet } from '../pets/pet.ts';
import type { EventType, OrderStatus } from '../vocabulary.ts';

/** What brings an order into each state is told by an event of its own. */
export const orderEvents = {
  pending: 'order.placed',
  shipped: 'order.shipped',
  delivered: 'order.delivered',
  cancelled: 'order.cancelled',
} as const satisfies Record<OrderStatus, EventType>;

interface Change {
  readonly storeId: bigint;
  readonly revision: bigint;
  readonly at: bigint;
}

/** Appends to the log that this revision of the store made the order what it is now. */
export async function recordOrderChange(
  connection: Connection,
  { storeId, revision, order }: { storeId: bigint; revision: bigint; order: Order },
): Promise<void> {
  await connection.all(insertOrderChange, { storeId, revision, type: orderEvents[order.status], ...order });
}

/** Appends to the log that this revision of the store made the pet what it is now. */
export async function recordPetChange(
  connection: Connection,
  { pet, ...change }: Change & { type: 'pet.created' | 'pet.changed'; pet: Pet },
): Promise<void> {
  await connection.all(insertPetChange, { ...change, ...pet });
}

/** Begins the log of a store that continues another one's revisions, under the same keys. */
export async function recordReset(connection: Connection, reset: Change): Promise<void> {
  await connection.all(insertReset, { ...reset });
}

const insertOrderChange = query((db, p: Order & { storeId: bigint; revision: bigint; type: EventType }) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    revision: p.revision,
    at: p.updated_at,
    type: p.type,
    order_id: p.id,
    pet_id: p.pet_id,
    quantity: p.quantity,
    ship_date: p.ship_date,
    placed_at: p.placed_at,
  }),
);

const insertPetChange = query((db, p: Pet & Change & { type: EventType }) =>
  db.insertInto('changes').values({
    store_id: p.storeId,
    revision: p.revision,
    at: p.at,
    type: p.type,
    pet_id: p.id,
    name: p.name,
    category: p.category,
    stock: p.stock,
  }),
);

const insertReset = query((db, p: Change) =>
  db
    .insertInto('changes')
    .values({ store_id: p.storeId, revision: p.revision, at: p.at, type: 'store.reset' satisfies EventType }),
);
