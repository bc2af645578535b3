import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { type KeyDetails, saveKey } from '../keys/create-key.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import { demonstrationOrders, demonstrationPets, startOfDay, WRITTEN_FOR } from './demonstration-data.ts';
import { anyId, countOrders } from './order-counts.ts';

export interface OpenStore {
  /** The account it belongs to; an account has one store, so a second call finds the first one's. */
  readonly owner: string | null;
  readonly key: KeyDetails;
  readonly at: bigint;
}

/** Opens a store, filled with the demonstration data, and its first key. */
export const openStore = verb(
  'openStore',
  async (tx, { owner, key, at }: OpenStore): Promise<{ storeId: bigint; keyId: string }> => {
    const storeId = await ensureStore(tx, owner, at);
    return { storeId, keyId: await saveKey(tx, storeId, key, at) };
  },
);

/** The owner's store, opened if it was not. */
export async function ensureStore(tx: Transaction, owner: string | null, at: bigint): Promise<bigint> {
  const [opened] = await tx.all(insertStore, { id: randomStoreId(), owner, at });
  if (opened) {
    const storeId = opened.id;
    await Promise.all([tx.all(insertPets, { storeId }), insertOrders(tx, storeId, startOfDay(at))]);
    await tx.all(countOrders, { storeId, ...anyId });
  }
  const [store] = opened ? [opened] : await tx.all(storeOfOwner, { owner: owner as string });
  return (store as { id: bigint }).id;
}

/** 62 random bits: needs no counter shared between machines, and tells nothing about how many stores there are. */
export function randomStoreId(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 2n;
}

const insertStore = query((db, p: { id: bigint; owner: string | null; at: bigint }) =>
  db
    .insertInto('stores')
    .values({
      id: p.id,
      owner: p.owner,
      revision: BigInt(Math.max(...demonstrationOrders.map((order) => order.moments.length))),
      next_order_id: BigInt(demonstrationOrders.length + 1),
      next_pet_id: BigInt(demonstrationPets.length + 1),
      created_at: p.at,
    })
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .returning('id'),
);

const storeOfOwner = query((db, p: { owner: string }) =>
  db.selectFrom('stores').select('id').where('owner', '=', p.owner),
);

export const insertPets = query((db, p: { storeId: bigint }) =>
  db.insertInto('pets').values(
    demonstrationPets.map((pet, index) => ({
      store_id: p.storeId,
      id: BigInt(index + 1),
      ...pet,
      revision: 1n,
    })),
  ),
);

/** The demonstration orders, with their dates counted from this day. */
export async function insertOrders(tx: Transaction, storeId: bigint, today: bigint): Promise<void> {
  await tx.all(insertDated, { storeId, later: today - WRITTEN_FOR });
}

const insertDated = query((db, p: { storeId: bigint; later: bigint }) => {
  const dated = (time: bigint) => sql<bigint>`${sql.lit(time)} + CAST(${p.later} AS bigint)`;
  return db.insertInto('orders').values(
    demonstrationOrders.map(({ id, petId, quantity, shipDate, moments }) => {
      const first = moments[0] as (typeof moments)[number];
      const last = moments.at(-1) as (typeof moments)[number];
      return {
        store_id: p.storeId,
        id,
        pet_id: petId,
        quantity,
        ship_date: dated(shipDate),
        status: last.status,
        placed_at: dated(first.at),
        updated_at: dated(last.at),
        revision: BigInt(moments.length),
      };
    }),
  );
});
