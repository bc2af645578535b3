import { statSync } from 'node:fs';
import { type FileMark, requireSameFile } from './database-files.ts';
import { type Connection, type Database, Unavailable } from './engine.ts';
import { Slots } from './slots.ts';
import { SqliteConnection } from './sqlite.ts';

/** The path and the size of the log are looked at this often. */
export const LOOK_MS = 1_000;
const MOST_SNAPSHOTS = 8;
const OF_FILE = 0n;
/** While a snapshot is open the log cannot be begun anew; one that made it grow beyond this is given up. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;

interface ReaderOptions {
  readonly mostLogBytes?: number;
}

export function openSqlite(
  path: string,
  file: FileMark,
  { mostLogBytes = MOST_LOG_BYTES }: ReaderOptions = {},
): Database {
  const reader = new SqliteConnection(path, 'read', file);
  const snapshots = new Slots(MOST_SNAPSHOTS);
  let lookedAt = performance.now();
  return {
    async all(query, params) {
      if (performance.now() - lookedAt > LOOK_MS) {
        requireSameFile(path, file);
        lookedAt = performance.now();
      }
      return reader.allNow(query, params);
    },
    async snapshot() {
      const release = await snapshots.take(OF_FILE);
      try {
        const connection = new SqliteConnection(path, 'read', file);
        return beginSnapshot(connection, release, () => isLogTooLong(path, mostLogBytes));
      } catch (error) {
        release();
        throw error;
      }
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

function beginSnapshot(
  connection: SqliteConnection,
  release: () => void,
  isLogTooLongNow: () => boolean,
): Connection & AsyncDisposable {
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(looks);
    connection.close();
    release();
  };
  const looks = setInterval(() => isLogTooLongNow() && end(), LOOK_MS).unref();
  try {
    connection.exec('BEGIN');
  } catch (error) {
    end();
    throw error;
  }
  return {
    async all(query, params) {
      if (!isOpen) throw new Unavailable('a list was read so slowly that its snapshot was given up');
      return connection.all(query, params);
    },
    [Symbol.asyncDispose]: async () => end(),
  };
}

/** A log that cannot be looked at now is looked at again. */
export function isLogTooLong(path: string, mostBytes = MOST_LOG_BYTES): boolean {
  try {
    return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > mostBytes;
  } catch {
    return false;
  }
}
