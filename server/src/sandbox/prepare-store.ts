import { query } from '../database/query.ts';
import { makeOrders } from '../orders/make-orders.ts';
import { insertOrders, insertPets } from '../orders/open-store.ts';
import { anyId, countOrders } from '../orders/order-counts.ts';
import { insertOrder } from '../orders/place-order.ts';
import { insertPet } from '../pets/create-pet.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';
import { type DataSet, hardOrders, hardPets, shiftOf } from './data-sets.ts';

/** What nobody has worked on for so long was given up, and is erased like any closed store. */
const GIVEN_UP_MS = 10n * 60_000n;
/** Of nine orders, four are pending, two shipped and three delivered: a list shows every one. */
const STATES = 9n;

interface Prepared extends DataSet {
  /** The id of the store to be, which nobody knows. */
  readonly storeId: bigint;
  /** The store that it is to replace, if any: nothing is done for one that is closed. */
  readonly replaced: bigint | null;
  readonly at: bigint;
}

export interface PrepareStore extends Prepared {
  readonly nextOrderId: bigint;
  readonly nextPetId: bigint;
}

/** Makes a store that nothing opens yet, with everything of its data set but the orders of a `large` one. */
export const prepareStore = verb(
  'prepareStore',
  async (tx, { storeId, replaced, nextOrderId, nextPetId, at, ...set }: PrepareStore): Promise<void> => {
    await refuseClosed(tx, replaced);
    await tx.all(insertClosed, { storeId, nextOrderId, nextPetId, at, until: at + GIVEN_UP_MS });
    if (set.dataSet === 'empty') return;
    if (set.dataSet === 'int64') {
      for (const pet of hardPets(set.seed)) await tx.all(insertPet, { storeId, ...pet, revision: 1n });
      for (const order of hardOrders(set)) await tx.all(insertOrder, { storeId, ...order });
    } else {
      await tx.all(insertPets, { storeId });
      if (set.dataSet === 'default') await insertOrders(tx, storeId, set.today);
    }
    await tx.all(countOrders, { storeId, ...anyId });
  },
);

export interface AddPreparedOrders extends Omit<Prepared, 'dataSet'> {
  readonly first: bigint;
  readonly last: bigint;
}

/** Adds some of its orders to a `large` store that is being prepared. */
export const addPreparedOrders = verb(
  'addPreparedOrders',
  async (
    tx,
    { storeId, replaced, seed, orders, today, first, last, at }: AddPreparedOrders,
  ): Promise<void> => {
    await refuseClosed(tx, replaced);
    await keepPrepared(tx, storeId, at);
    const scattered = { shift: shiftOf(seed), states: STATES };
    await tx.all(makeOrders, { storeId, first, last, count: orders, today, ...scattered });
    await tx.all(countOrders, { storeId, first, last });
  },
);

/** Leaves a store that was not finished, or is not wanted any more, to be erased at once. */
export const giveUpPrepared = verb(
  'giveUpPrepared',
  async (tx, { storeId, at }: { storeId: bigint; at: bigint }): Promise<void> => {
    await tx.all(setPreparedUntil, { storeId, at, until: at });
  },
);

/** Goes on with a store that is being prepared; refused if it was given up. */
export async function keepPrepared(tx: Transaction, storeId: bigint, at: bigint): Promise<void> {
  const [kept] = await tx.all(setPreparedUntil, { storeId, at, until: at + GIVEN_UP_MS });
  if (!kept) throw new Refusal('unavailable');
}

async function refuseClosed(tx: Transaction, storeId: bigint | null): Promise<void> {
  if (storeId !== null && (await tx.all(openStore, { storeId })).length === 0)
    throw new Refusal('unavailable');
}

const openStore = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('id').where('id', '=', p.storeId).where('closed_at', 'is', null),
);

const insertClosed = query(
  (db, p: { storeId: bigint; nextOrderId: bigint; nextPetId: bigint; at: bigint; until: bigint }) =>
    db.insertInto('stores').values({
      id: p.storeId,
      owner: null,
      revision: 0n,
      next_order_id: p.nextOrderId,
      next_pet_id: p.nextPetId,
      created_at: p.at,
      closed_at: p.until,
    }),
);

const setPreparedUntil = query((db, p: { storeId: bigint; at: bigint; until: bigint }) =>
  db
    .updateTable('stores')
    .set({ closed_at: p.until })
    .where('id', '=', p.storeId)
    .where('closed_at', '>', p.at)
    .returning('id'),
);
