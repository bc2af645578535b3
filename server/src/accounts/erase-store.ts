import type { Transaction } from '../changes/transaction.ts';
import type { Writer } from '../changes/writer.ts';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';

/** Orders erased by one change: each is short, so that no other change waits long behind it. */
const BATCH = 1_000n;

/** Erases some of a closed store's rows; `erased` once nothing of it is left. */
export async function eraseStore(
  tx: Transaction,
  { storeId }: { storeId: bigint; at: bigint },
): Promise<{ erased: boolean }> {
  const [closed] = await tx.all(closedStore, { storeId: tx.store(storeId).id });
  if (!closed) throw new Refusal('not_found');
  const [last] = await tx.all(lastOfBatch, { storeId, skip: BATCH - 1n });
  if (last) {
    await tx.all(eraseHistory, { storeId, last: last.id });
    await tx.all(eraseOrders, { storeId, last: last.id });
    return { erased: false };
  }
  for (const table of ['order_history', 'orders', 'pets', 'idempotency', 'keys'] as const) {
    await tx.all(eraseAll[table], { storeId });
  }
  await tx.all(eraseRow, { storeId });
  return { erased: true };
}

/** Erases every closed store. What an earlier run did not finish, because it was stopped, is finished by the next. */
export async function eraseClosedStores(
  db: Connection,
  writer: Writer,
  goOn: () => boolean = () => true,
): Promise<void> {
  for (const { id: storeId } of await db.all(closedStores, {})) {
    while (goOn()) {
      const { erased } = await writer.apply('eraseStore', { storeId, at: 0n }).catch((error) => {
        // Another replica was quicker.
        if (error instanceof Refusal) return { erased: true };
        throw error;
      });
      if (erased) break;
    }
  }
}

const closedStores = query((db, _: Record<never, never>) =>
  db.selectFrom('stores').select('id').where('closed_at', 'is not', null),
);

const closedStore = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('id').where('id', '=', p.storeId).where('closed_at', 'is not', null),
);

const lastOfBatch = query((db, p: { storeId: bigint; skip: bigint }) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('store_id', '=', p.storeId)
    .orderBy('id')
    .limit(1)
    .offset(p.skip),
);

const eraseHistory = query((db, p: { storeId: bigint; last: bigint }) =>
  db.deleteFrom('order_history').where('store_id', '=', p.storeId).where('order_id', '<=', p.last),
);

const eraseOrders = query((db, p: { storeId: bigint; last: bigint }) =>
  db.deleteFrom('orders').where('store_id', '=', p.storeId).where('id', '<=', p.last),
);

const eraseAll = {
  order_history: query((db, p: { storeId: bigint }) =>
    db.deleteFrom('order_history').where('store_id', '=', p.storeId),
  ),
  orders: query((db, p: { storeId: bigint }) => db.deleteFrom('orders').where('store_id', '=', p.storeId)),
  pets: query((db, p: { storeId: bigint }) => db.deleteFrom('pets').where('store_id', '=', p.storeId)),
  idempotency: query((db, p: { storeId: bigint }) =>
    db.deleteFrom('idempotency').where('store_id', '=', p.storeId),
  ),
  keys: query((db, p: { storeId: bigint }) => db.deleteFrom('keys').where('store_id', '=', p.storeId)),
};

const eraseRow = query((db, p: { storeId: bigint }) => db.deleteFrom('stores').where('id', '=', p.storeId));
