import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';

export const findOpenStore = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('id').where('id', '=', p.storeId).where('closed_at', 'is', null),
);

export async function storeRevision(snapshot: Connection, storeId: bigint): Promise<bigint> {
  const [store] = await snapshot.all(revisionById, { storeId });
  return store?.revision ?? 0n;
}

const revisionById = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('revision').where('id', '=', p.storeId),
);
