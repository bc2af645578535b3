import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { deleteRows } from '../database/rows.ts';
import { SEAL } from '../writer/deployment-secret.ts';

/**
 * For data that went back in time. Every store's revision becomes the time in microseconds: larger than any that the lost
 * changes have had, also where the same copy is restored again. Without its secret, cursors of that time are invalid. Ids of
 * deliveries advance as well: receivers ignore a message whose `webhook-id` they have seen.
 */
export async function advanceRevisions(connection: Connection, now: number): Promise<void> {
  const to = BigInt(now) * 1_000n;
  await connection.all(advanceStores, { to });
  await connection.all(advanceDeliveryIds, { to });
  await deleteRows(connection, 'secrets', { name: SEAL });
}

const advanced = (column: string, to: bigint) =>
  sql`${sql.ref(column)} = CASE WHEN ${sql.ref(column)} < ${to} THEN CAST(${to} AS bigint) ELSE ${sql.ref(column)} + 1 END`;
const advanceStores = query(
  (_, p: { to: bigint }) => sql<never>`UPDATE stores SET ${advanced('revision', p.to)}`,
);
const advanceDeliveryIds = query(
  (_, p: { to: bigint }) => sql<never>`UPDATE webhooks SET ${advanced('next_delivery_id', p.to)}`,
);
