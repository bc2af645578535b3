import type pg from 'pg';
import { type Connection, type Database, Unavailable } from './engine.ts';
import { closePool, openPool, PostgresConnection, takeClient } from './postgres-connection.ts';

const READERS = 8;
const MOST_SNAPSHOTS = 8;
const SNAPSHOT_WAIT_MS = 5_000;
/** A snapshot locks nothing, and may have to wait for a slow reader of what it shows. */
const SNAPSHOT_IDLE_MS = 600_000;

export function openPostgres(url: string): Database {
  const readers = openPool(url, { max: READERS });
  const snapshots = openPool(url, {
    max: MOST_SNAPSHOTS,
    connectionTimeoutMillis: SNAPSHOT_WAIT_MS,
    idle_in_transaction_session_timeout: SNAPSHOT_IDLE_MS,
  });
  return {
    async all(query, params) {
      const client = await takeClient(readers);
      try {
        const rows = await new PostgresConnection(client).all(query, params);
        client.release();
        return rows;
      } catch (error) {
        client.release(error instanceof Unavailable);
        throw error;
      }
    },
    snapshot: () => openSnapshot(snapshots),
    pools: { read: readers, snapshot: snapshots },
    async close() {
      await Promise.all([closePool(readers), closePool(snapshots)]);
    },
  };
}

async function openSnapshot(pool: pg.Pool): Promise<Connection & AsyncDisposable> {
  const client = await takeClient(pool);
  const connection = new PostgresConnection(client);
  try {
    await connection.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    all: (query, params) => connection.all(query, params),
    [Symbol.asyncDispose]: () =>
      connection.exec('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      ),
  };
}
