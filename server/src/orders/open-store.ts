import { randomBytes } from 'node:crypto';
import { type Connection, query } from '../database/query.ts';
import { insertingAll, lockRows } from '../database/rows.ts';
import { type KeyDetails, saveKey } from '../keys/manage-keys.ts';
import { type Pet, petColumns, petTexts } from '../pets/pet.ts';
import { orderStatuses } from '../vocabulary.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { demonstrationOrders, demonstrationPets, startOfDay } from './demonstration-data.ts';
import { type Order, orderColumns } from './order.ts';
import { addToCounts } from './order-counts.ts';
import { statesUpTo } from './states.ts';

/** An order that a store begins with has a revision for each state that it was in. */
const revisions = new Map(orderStatuses.map((status) => [status, statesUpTo(status).length]));
export const FIRST_REVISION = BigInt(Math.max(...revisions.values()));

type OpenStore = { owner: string | null; key: KeyDetails; at: bigint };

/** An account has one store: a second call finds the first one's. */
export const openStore = verb('openStore', async (tx, { owner, key, at }: OpenStore) => {
  const storeId = await ensureStore(tx, owner, at);
  const { id: keyId } = await saveKey(tx, storeId, key, at);
  return { storeId, keyId };
});

export async function ensureStore(tx: Transaction, owner: string | null, at: bigint): Promise<bigint> {
  const rows = { pets: demonstrationPets, orders: demonstrationOrders(startOfDay(at)) };
  const nextOrderId = BigInt(rows.orders.length + 1);
  const [opened] = await tx.all(insertStore, { id: randomStoreId(), owner, nextOrderId, at });
  if (opened) await insertRows(tx, opened.id, rows);
  const [store] = opened ? [opened] : await lockRows(tx, 'stores', { owner }, ['id']);
  // One that a reset has just replaced is no longer the owner's.
  return store?.id ?? ensureStore(tx, owner, at);
}

/** 62 random bits: needs no counter shared between machines, and tells nothing about how many stores there are. */
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

export async function insertRows(db: Connection, storeId: bigint, { pets, orders }: Rows): Promise<void> {
  const store = String(storeId);
  const petRows = pets.map((pet) => [store, '1', ...petColumns.map((column) => String(pet[column]))]);
  const orderRows = orders.map((order) => [
    store,
    String(revisions.get(order.status)),
    ...orderColumns.map((column) => String(order[column])),
  ]);
  await db.all(insertPets, { rows: JSON.stringify(petRows) });
  await db.all(insertOrders, { rows: JSON.stringify(orderRows) });
  const [first, last] = [orders[0], orders.at(-1)];
  if (first && last) await db.all(addToCounts, { storeId, first: first.id, last: last.id });
}

const texts = new Set<string>(['status', ...petTexts]);

const insertPets = insertInto('pets', petColumns);
const insertOrders = insertInto('orders', orderColumns);

function insertInto(table: 'pets' | 'orders', columns: readonly string[]) {
  const typed = ['store_id', 'revision', ...columns].map(
    (name) => ({ name, type: texts.has(name) ? 'TEXT' : 'INTEGER' }) as const,
  );
  return query((_, p: { rows: string }, engine) => insertingAll(table, typed, p.rows, engine));
}
