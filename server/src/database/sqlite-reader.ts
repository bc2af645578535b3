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
  let reader = open();
  const snapshots = new SqliteSnapshots(path, open, options);
  let lookedAt = performance.now();
  const look = () => {
    if (performance.now() - lookedAt < LOOK_MS) return;
    requireSameFile(path, file);
    lookedAt = performance.now();
  };

  // Half of what reading a row costs is to lock and unlock the file. Reads together lock it once.
  let together = false;
  let isLost = false;
  let reads = 0;
  const endTogether = () => {
    const wereTogether = reads > 1;
    together = false;
    reads = 0;
    // An error may have ended it already.
    if (!wereTogether || !reader.isInTransaction) return;
    try {
      reader.allNow(commit, {});
    } catch {
      // What cannot be ended would go on showing that moment for ever.
      reader.close();
      isLost = true;
    }
  };
  const join = () => {
    if (reads === 0) process.nextTick(endTogether);
    reads++;
    if (reads === 2) reader.allNow(begin, {});
  };

  return {
    isRemote: false,
    async all(query, params) {
      look();
      if (isLost) {
        reader = open();
        isLost = false;
      }
      if (together) join();
      return reader.allNow(query, params);
    },
    readTogether() {
      together = true;
    },
    snapshot: () => snapshots.open(),
    async close() {
      endTogether();
      if (!isLost) reader.close();
    },
  };
}
