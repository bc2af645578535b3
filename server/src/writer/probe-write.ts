import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { verb } from './verb.ts';

/** No less than a change of an order writes, with its indexes: where that would not fit, this does not either. */
const FILLING_BYTES = 64 * 1024;

/** Writes as much as a real change does, to see whether it can be written. Nobody reads it. */
export const probeWrite = verb('probeWrite', async (tx, _: Record<never, never>) => {
  await tx.all(takeRoom, {});
  await tx.all(write, { filling: randomBytes(FILLING_BYTES).toString('base64') });
});

/** PostgreSQL writes a row into room that others left in its table, also on a full disk: a new table has none. */
const takeRoom = query((_db, _: Record<never, never>, engine) =>
  engine === 'sqlite'
    ? sql`SELECT 1`
    : sql`CREATE TEMPORARY TABLE trial ON COMMIT DROP AS
        SELECT md5(n::text) AS filling FROM generate_series(1, ${sql.lit(FILLING_BYTES / 64)}) AS n`,
);

const write = query(
  (_, p: { filling: string }) => sql`
    INSERT INTO probes (id, filling) VALUES (1, ${p.filling})
    ON CONFLICT (id) DO UPDATE SET filling = excluded.filling`,
);
