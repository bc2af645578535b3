import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Job } from '../writer/background.ts';
import type { Writer } from '../writer/writer.ts';
import { eraseStore } from './erase-store.ts';

/** Erases every store whose time has come. What an earlier run did not finish, because it was stopped, is finished by the next. */
export function eraseClosedStores(db: Connection, writer: Writer, now: () => number): Job {
  return {
    name: 'erasing closed stores',
    rest: 60_000,
    async run(signal, piece) {
      const erase = async (storeId: bigint) => {
        while (!signal.aborted) {
          const { erased } = await writer.apply(eraseStore, { storeId }).catch((error) => {
            // Another replica was quicker.
            if (error instanceof Refusal) return { erased: true };
            throw error;
          });
          if (erased) break;
        }
      };
      for (const { id } of await db.all(closedStores, { now: BigInt(now()) })) await piece(() => erase(id));
    },
  };
}

const closedStores = query((db, p: { now: bigint }) =>
  db.selectFrom('stores').select('id').where('closed_at', '<=', p.now),
);
