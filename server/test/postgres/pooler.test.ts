import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { PostgresConnection } from '../../src/database/postgres.ts';
import { query } from '../../src/database/query.ts';
import { postgres } from '../support/engines.ts';
import { connect } from './support/own-postgres.ts';

const one = query((_, __: Record<never, never>) => sql<{ one: bigint }>`SELECT CAST(1 AS bigint) AS one`);

/** PgBouncer hands out a session in which another client has prepared its statements. */
it('a pooled session with another client’s prepared statements is recognized', async () => {
  await using database = await postgres.create();
  const client = await connect(String(database.location.database));
  await client.query(`PREPARE ${one.name} AS SELECT 2`);
  const connection = new PostgresConnection(client);
  await expect(connection.all(one, {})).rejects.toThrow(
    /prepared statement "q\d+" already exists; a pooler such as PgBouncer must have pool_mode = session/,
  );
  await client.query('DEALLOCATE ALL');
  expect(await connection.all(one, {})).toEqual([{ one: 1n }]);
  await client.end();
});
