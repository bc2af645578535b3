import { sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { deleteRows } from '../database/rows.ts';
import { SEAL } from './deployment-secret.ts';

/**
 * For data that went back in time. Every store's revision becomes the time in microseconds: larger than any that the lost
 * changes have had, also where the same copy is restored again. Without its secret, cursors of that time are invalid.
 */
export async function advanceRevisions(connection: Connection, now: number): Promise<void> {
  await connection.all(advance, { to: BigInt(now) * 1_000n });
  await deleteRows(connection, 'secrets', { name: SEAL });
}

const advance = query(
  (_, p: { to: bigint }) => sql<never>`
    UPDATE stores SET revision = CASE WHEN revision < ${p.to} THEN CAST(${p.to} AS bigint) ELSE revision + 1 END`,
);
