import { statSync } from 'node:fs';
import { type FileMark, requireSameFile } from './database-files.ts';
import { type Database, Unavailable } from './engine.ts';
import { Slots } from './slots.ts';
import { SqliteConnection } from './sqlite.ts';

export const LOOK_MS = 1_000;
const MOST_SNAPSHOTS = 8;
const OF_FILE = 0n;
/** While a snapshot is open the log cannot be begun anew; one that made it grow beyond this is given up. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;

export function openSqlite(path: string, file: FileMark, { mostLogBytes = MOST_LOG_BYTES } = {}): Database {
  const reader = new SqliteConnection(path, 'read', file);
  const snapshots = new Slots(MOST_SNAPSHOTS);
  let lookedAt = performance.now();
  return {
    async all(query, params) {
      if (performance.now() - lookedAt > LOOK_MS) {
        requireSameFile(path, file);
        lookedAt = performance.now();
      }
      return reader.all(query, params);
    },
    async snapshot() {
      using opening = new DisposableStack();
      opening.use(await snapshots.take(OF_FILE));
      const connection = new SqliteConnection(path, 'read', file);
      opening.defer(() => connection.close());
      connection.exec('BEGIN');
      const looks = setInterval(() => isLogTooLong(path, mostLogBytes) && open.dispose(), LOOK_MS).unref();
      opening.defer(() => clearInterval(looks));
      const open = opening.move();
      return {
        async all(query, params) {
          if (open.disposed)
            throw new Unavailable('a list was read so slowly that its snapshot was given up');
          return connection.all(query, params);
        },
        [Symbol.asyncDispose]: async () => open.dispose(),
      };
    },
    pools: {
      snapshot: {
        idleCount: 0,
        get totalCount() {
          return snapshots.count(OF_FILE).taken;
        },
        get waitingCount() {
          return snapshots.count(OF_FILE).waiting;
        },
      },
    },
    async close() {
      reader.close();
    },
  };
}

export function isLogTooLong(path: string, mostBytes = MOST_LOG_BYTES): boolean {
  try {
    return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > mostBytes;
  } catch {
    return false;
  }
}
