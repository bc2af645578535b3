import type { Database } from './engine.ts';
import { type FileMark, requireSameFile } from './named-file.ts';
import { SqliteConnection } from './sqlite.ts';
import { type SnapshotOptions, SqliteSnapshots } from './sqlite-snapshots.ts';

/** How often readers look whether the path still names the file that they read. */
const LOOK_MS = 1_000;

/** Opens an already prepared file for reading. */
export function openSqlite(path: string, file: FileMark, options: SnapshotOptions = {}): Database {
  const open = () => new SqliteConnection(path, 'read', file);
  const reader = open();
  const snapshots = new SqliteSnapshots(path, open, options);
  let lookedAt = performance.now();
  return {
    async all(query, params) {
      if (performance.now() - lookedAt > LOOK_MS) {
        requireSameFile(path, file);
        lookedAt = performance.now();
      }
      return reader.allNow(query, params);
    },
    snapshot: () => snapshots.open(),
    pools: { snapshot: snapshots },
    async close() {
      reader.close();
    },
  };
}
