import type { Database } from './engine.ts';
import { closeInTime, openPool, takeConnection } from './postgres-connection.ts';

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
      using connection = await takeConnection(readers);
      return await connection.all(query, params);
    },
    async snapshot() {
      using opening = new DisposableStack();
      const connection = opening.use(await takeConnection(snapshots));
      await connection.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const open = opening.move();
      return {
        all: (query, params) => connection.all(query, params),
        async [Symbol.asyncDispose]() {
          await connection.exec('ROLLBACK').catch(() => {});
          open.dispose();
        },
      };
    },
    pools: { read: readers, snapshot: snapshots },
    async close() {
      await Promise.all([closeInTime(readers), closeInTime(snapshots)]);
    },
  };
}
