import { query } from '../database/query.ts';
import { insertRows, type Rows } from '../orders/insert-rows.ts';
import { Refusal } from '../refusal.ts';
import { verb } from '../writer/verb.ts';

/** A store in the making is closed as of so long from now, put off by each step: if steps stop, it is erased. */
const GIVEN_UP_MS = 10n * 60_000n;

type Prepared = { storeId: bigint; at: bigint };
type PrepareStore = Prepared & { nextOrderId: bigint; nextPetId: bigint };

export const prepareStore = verb('prepareStore', async (tx, store: PrepareStore) => {
  await tx.all(insertUnopened, { ...store, until: store.at + GIVEN_UP_MS });
});

export const addRows = verb('addRows', async (tx, { storeId, at, ...rows }: Prepared & Rows) => {
  const [kept] = await tx.all(setPreparedUntil, { storeId, at, until: at + GIVEN_UP_MS });
  if (!kept) throw new Refusal('unavailable');
  await insertRows(tx, storeId, rows);
});

export const giveUpPrepared = verb('giveUpPrepared', async (tx, { storeId, at }: Prepared) => {
  await tx.all(setPreparedUntil, { storeId, at, until: at });
});

const insertUnopened = query((db, p: PrepareStore & { until: bigint }) =>
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

const setPreparedUntil = query((db, p: Prepared & { until: bigint }) =>
  db
    .updateTable('stores')
    .set({ closed_at: p.until })
    .where('id', '=', p.storeId)
    .where('closed_at', '>', p.at)
    .returning('id'),
);
