import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backUpSqlite } from '../database/copy-sqlite.ts';
import { makeFolder } from '../database/data-folder.ts';
import type { Job } from '../writer/background.ts';

export interface BackupPlan {
  /** The database, and the folder where its copies go. */
  readonly path: string;
  readonly folder: string;
  readonly everyMs: number;
  readonly keep: number;
}

/** Copies the embedded database from time to time, and keeps so many of the newest copies. */
export function backUpRegularly({ path, folder, everyMs, keep }: BackupPlan): Job {
  const name = basename(path, '.db');
  // Their names sort as text like time does.
  const copies = () =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${name}-`) && file.endsWith('.db'))
      .sort();
  const isDue = (now: number) => {
    const newest = copies().at(-1);
    return newest === undefined || now - statSync(join(folder, newest)).mtimeMs >= everyMs;
  };
  return {
    name: 'backup',
    // Looked at more often than it is done: a restart does not put it off.
    rest: Math.min(everyMs, 60_000),
    async run() {
      makeFolder(folder);
      const now = Date.now();
      if (!isDue(now)) return;
      await backUpSqlite(path, join(folder, `${name}-${timestamp(now)}.db`));
      for (const old of copies().slice(0, -keep)) rmSync(join(folder, old));
    },
  };
}

/** Sorts as text like time does, and is a name of a file everywhere. */
export function timestamp(now: number): string {
  return new Date(now).toISOString().replaceAll(':', '-');
}
