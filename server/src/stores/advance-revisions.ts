import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { deleteRows } from '../database/rows.ts';
import { SIGNING_SECRET } from '../writer/deployment-secret.ts';

/**
 * Runs after a restore, so that no revision or delivery id is reused. Sets every store's revision to the time in microseconds,
 * which is larger than the revision of any change that the restore undid. Delivery ids advance, too, because receivers ignore
 * a `webhook-id` that they have seen. A new secret invalidates old cursors.
 */
export async function advanceRevisions(connection: Connection, now: number): Promise<void> {
  const to = BigInt(now) * 1_000n;
  await connection.all(advanceStores, { to });
  await connection.all(advanceDeliveryIds, { to });
  await deleteRows(connection, 'secrets', { name: SIGNING_SECRET });
}

const advance = (column: string, to: bigint) =>
  sql`${sql.ref(column)} = CASE WHEN ${sql.ref(column)} < ${to} THEN CAST(${to} AS bigint) ELSE ${sql.ref(column)} + 1 END`;
const advanceStores = query(
  (_, p: { to: bigint }) => sql<never>`UPDATE stores SET ${advance('revision', p.to)}`,
);
const advanceDeliveryIds = query(
  (_, p: { to: bigint }) => sql<never>`UPDATE webhooks SET ${advance('next_delivery_id', p.to)}`,
);
