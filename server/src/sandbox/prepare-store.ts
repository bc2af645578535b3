import { query } from '../database/query.ts';
import { insertRows, type Rows } from '../orders/insert-rows.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';

/** A store in the making is closed as of so long from now, put off by each step: if steps stop, it is erased. */
const GIVEN_UP_MS = 10n * 60_000n;

interface Prepared {
  readonly storeId: bigint;
  /** The store that it is to replace, if any; refused if that was closed meanwhile. */
  readonly replacedId: bigint | null;
  readonly at: bigint;
}

interface PrepareStore extends Prepared {
  readonly nextOrderId: bigint;
  readonly nextPetId: bigint;
}

export const prepareStore = verb(
  'prepareStore',
  async (tx, { storeId, replacedId, nextOrderId, nextPetId, at }: PrepareStore): Promise<void> => {
    await refuseClosed(tx, replacedId);
    await tx.all(insertUnopened, { storeId, nextOrderId, nextPetId, at, until: at + GIVEN_UP_MS });
  },
);

export const addRows = verb(
  'addRows',
  async (tx, { storeId, replacedId, at, ...rows }: Prepared & Rows): Promise<void> => {
    await refuseClosed(tx, replacedId);
    const [kept] = await tx.all(setPreparedUntil, { storeId, at, until: at + GIVEN_UP_MS });
    if (!kept) throw new Refusal('unavailable');
    await insertRows(tx, storeId, rows);
  },
);

export const giveUpPrepared = verb(
  'giveUpPrepared',
  async (tx, { storeId, at }: { storeId: bigint; at: bigint }): Promise<void> => {
    await tx.all(setPreparedUntil, { storeId, at, until: at });
  },
);

async function refuseClosed(tx: Transaction, storeId: bigint | null): Promise<void> {
  if (storeId === null) return;
  const [open] = await tx.all(findOpenStore, { storeId });
  if (!open) throw new Refusal('unavailable');
}

export const findOpenStore = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('id').where('id', '=', p.storeId).where('closed_at', 'is', null),
);

const insertUnopened = query((db, p: Omit<PrepareStore, 'replacedId'> & { until: bigint }) =>
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
