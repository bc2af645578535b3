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

  // Half of what reading a row costs is to lock and unlock the file. Reads together lock it once.
  let together = false;
  let reads = 0;
  const endTogether = () => {
    // An error may have ended it already.
    if (reads > 1 && reader.isInTransaction) reader.allNow(commit, {});
    together = false;
    reads = 0;
  };
  const join = () => {
    if (reads === 0) process.nextTick(endTogether);
    if (reads === 1) reader.allNow(begin, {});
    reads++;
  };

  return {
    async all(query, params) {
      look();
      if (together) join();
      return reader.allNow(query, params);
    },
    readTogether() {
      together = true;
    },
    snapshot: () => snapshots.open(),
    async close() {
      endTogether();
      reader.close();
    },
  };
}
