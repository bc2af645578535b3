import { sql } from 'kysely';
import type { Database } from './engine.ts';
import { type FileMark, requireSameFile } from './named-file.ts';
import { query, raw } from './query.ts';
import { SqliteConnection } from './sqlite.ts';
import { type SnapshotOptions, SqliteSnapshots } from './sqlite-snapshots.ts';

/** How often readers look whether the path still names the file that they read. */
const LOOK_MS = 1_000;

const begin = query((db) => raw<never>(db, sql`BEGIN`));
const commit = query((db) => raw<never>(db, sql`COMMIT`));

/** Opens an already prepared file for reading. */
export function openSqlite(path: string, file: FileMark, options: SnapshotOptions = {}): Database {
  const open = () => new SqliteConnection(path, 'read', file);
  const reader = open();
  const snapshots = new SqliteSnapshots(path, open, options);
  let lookedAt = performance.now();
  const look = () => {
    if (performance.now() - lookedAt < LOOK_MS) return;
    requireSameFile(path, file);
    lookedAt = performance.now();
  };

  /**
   * Half of what reading a row costs is to lock and unlock the file. Reads that follow each other before anything else
   * happens in the process lock it once: no request can have come since, nor the end of any change.
   */
  let reads = 0;
  const endReads = () => {
    // An error may have ended it already.
    if (reads > 1 && reader.isInTransaction) reader.allNow(commit, {});
    reads = 0;
  };
  const share = () => {
    if (reads === 0) process.nextTick(endReads);
    else if (reads === 1) reader.allNow(begin, {});
    reads++;
  };

  return {
    async all(query, params) {
      look();
      share();
      return reader.allNow(query, params);
    },
    snapshot: () => snapshots.open(),
    async close() {
      endReads();
      reader.close();
    },
  };
}
