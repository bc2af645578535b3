import { randomBytes } from 'node:crypto';
import { type Connection, query } from '../database/query.ts';
import { insertRows, lockRows } from '../database/rows.ts';
import { orderStatuses } from '../domain/vocabulary.ts';
import { type KeyDetails, saveKey } from '../keys/manage-keys.ts';
import type { Order } from '../orders/order.ts';
import { addRangeToCounts } from '../orders/order-counts.ts';
import { statesUpTo } from '../orders/states.ts';
import type { Pet } from '../pets/pet.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { demonstrationOrders, demonstrationPets, startOfDay } from './demonstration-data.ts';

/** An initial order has a revision for each state it was in. */
const revisions = new Map(orderStatuses.map((status) => [status, BigInt(statesUpTo(status).length)]));
export const FIRST_REVISION = BigInt(Math.max(...Array.from(revisions.values(), Number)));

type OpenStore = { owner: string | null; key: KeyDetails; at: bigint };

/** An account has one store: a second call finds the existing one. */
export const openStore = verb('openStore', async (tx, { owner, key, at }: OpenStore) => {
  const storeId = await ensureStore(tx, owner, at);
  const { id: keyId } = await saveKey(tx, storeId, key, at);
  return { storeId, keyId };
});

export async function ensureStore(tx: Transaction, owner: string | null, at: bigint): Promise<bigint> {
  const rows = { pets: demonstrationPets, orders: demonstrationOrders(startOfDay(at)) };
  const nextOrderId = BigInt(rows.orders.length + 1);
  const [opened] = await tx.all(insertStore, { id: randomStoreId(), owner, nextOrderId, at });
  if (opened) await fillStore(tx, opened.id, rows);
  const [store] = opened ? [opened] : await lockRows(tx, 'stores', { owner }, ['id']);
  // A reset may have replaced it meanwhile.
  return store?.id ?? ensureStore(tx, owner, at);
}

/** 62 random bits: no shared counter, and the number of stores stays private. */
export function randomStoreId(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 2n;
}

export const insertStore = query(
  (db, p: { id: bigint; owner: string | null; nextOrderId: bigint; at: bigint }) =>
    db
      .insertInto('stores')
      .values({
        id: p.id,
        owner: p.owner,
        revision: FIRST_REVISION,
        next_order_id: p.nextOrderId,
        next_pet_id: BigInt(demonstrationPets.length + 1),
        created_at: p.at,
      })
      .onConflict((conflict) => conflict.column('owner').doNothing())
      .returning('id'),
);

export type Rows = { readonly pets: readonly Pet[]; readonly orders: readonly Order[] };

export async function fillStore(db: Connection, storeId: bigint, { pets, orders }: Rows): Promise<void> {
  await insertRows(
    db,
    'pets',
    pets.map((pet) => ({ store_id: storeId, revision: 1n, ...pet })),
  );
  const revisionOf = ({ status }: Order) => revisions.get(status) ?? 1n;
  await insertRows(
    db,
    'orders',
    orders.map((order) => ({ store_id: storeId, revision: revisionOf(order), ...order })),
  );
  const [first, last] = [orders[0], orders.at(-1)];
  if (first && last) await db.all(addRangeToCounts, { storeId, first: first.id, last: last.id });
}
