import type { Connection } from '../database/engine.ts';
import { findRows } from '../database/rows.ts';

export async function isOpenStore(connection: Connection, storeId: bigint): Promise<boolean> {
  return (await findRows(connection, 'stores', { id: storeId, closed_at: null }, ['id'])).length > 0;
}

export async function storeRevision(snapshot: Connection, storeId: bigint): Promise<bigint> {
  const [store] = await findRows(snapshot, 'stores', { id: storeId }, ['revision']);
  return store?.revision ?? 0n;
}
