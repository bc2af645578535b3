import { randomBytes } from 'node:crypto';
import { query } from '../database/query.ts';
import { findRows } from '../database/rows.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import { demonstrationOrders, demonstrationPets, startOfDay } from './demonstration-data.ts';
import { FIRST_REVISION, insertRows } from './insert-rows.ts';

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
  const [store] = opened ? [opened] : await findRows(tx, 'stores', { owner }, ['id']);
  return (store as { id: bigint }).id;
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
