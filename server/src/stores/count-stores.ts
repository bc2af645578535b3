import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';

const countAll = query((db, _: Record<never, never>) =>
  db.selectFrom('stores').select((eb) => eb.fn.countAll<bigint>().as('count')),
);

export async function countStores(db: Connection): Promise<number> {
  return Number((await db.all(countAll, {}))[0]?.count);
}
