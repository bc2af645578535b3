import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { verb } from './verb.ts';

/** At least as much as changing an order writes, indexes included: if that does not fit on the disk, neither does this. */
const PAYLOAD_BYTES = 64 * 1024;

/** Writes as much as a real change does, to check that the database is writable. */
export const probeWrite = verb('probeWrite', async (tx, _: Record<never, never>) => {
  await tx.all(allocateSpace, {});
  await tx.all(write, { filling: randomBytes(PAYLOAD_BYTES).toString('base64') });
});

/** On a full disk, PostgreSQL still writes rows into free space of existing tables: a new table has none. A row takes about 64 bytes. */
const allocateSpace = query((_db, _: Record<never, never>, engine) =>
  engine === 'sqlite'
    ? sql`SELECT 1`
    : sql`CREATE TEMPORARY TABLE write_probe ON COMMIT DROP AS
        SELECT md5(n::text) AS filling FROM generate_series(1, ${sql.lit(PAYLOAD_BYTES / 64)}) AS n`,
);

const write = query(
  (_, p: { filling: string }) => sql`
    INSERT INTO probes (id, filling) VALUES (1, ${p.filling})
    ON CONFLICT (id) DO UPDATE SET filling = excluded.filling`,
);
