import { query } from '../database/query.ts';
import { insertRow } from '../database/rows.ts';
import { insertRows, type Rows } from '../orders/open-store.ts';
import { Refusal } from '../refusal.ts';
import { isOpenStore } from '../stores/find-store.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';

/** A store in the making is closed as of so long from now, put off by each step: if steps stop, it is erased. */
const GIVEN_UP_MS = 10n * 60_000n;

type Prepared = { storeId: bigint; at: bigint };
type PrepareStore = Prepared & { nextOrderId: bigint; nextPetId: bigint };

export const prepareStore = verb('prepareStore', async (tx, store: PrepareStore) => {
  await insertRow(tx, 'stores', {
    id: store.storeId,
    owner: null,
    revision: 0n,
    next_order_id: store.nextOrderId,
    next_pet_id: store.nextPetId,
    created_at: store.at,
    closed_at: store.at + GIVEN_UP_MS,
  });
});

type AddRows = Prepared & Rows & { replacedId: bigint | null };

/** If the store that it is to replace was closed meanwhile, the work is not done in vain. */
export const addRows = verb('addRows', async (tx, { storeId, replacedId, at, ...rows }: AddRows) => {
  if (replacedId !== null && !(await isOpenStore(tx, replacedId))) throw new Refusal('unavailable');
  await keepPrepared(tx, { storeId, at });
  await insertRows(tx, storeId, rows);
});

/** Locks the store, and refuses if it was given up. */
export async function keepPrepared(tx: Transaction, { storeId, at }: Prepared): Promise<void> {
  const [kept] = await tx.all(setPreparedUntil, { storeId, at, until: at + GIVEN_UP_MS });
  if (!kept) throw new Refusal('unavailable');
}

export const giveUpPrepared = verb('giveUpPrepared', async (tx, { storeId, at }: Prepared) => {
  await tx.all(setPreparedUntil, { storeId, at, until: at });
});

const setPreparedUntil = query((db, p: Prepared & { until: bigint }) =>
  db
    .updateTable('stores')
    .set({ closed_at: p.until })
    .where('id', '=', p.storeId)
    .where('closed_at', '>', p.at)
    .returning('id'),
);
