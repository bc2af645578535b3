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
  /** The oldest first. One of the future, which a clock that was ahead left behind, counts as the oldest. */
  const copies = (now: number) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${name}-`) && file.endsWith('.db'))
      .map((file) => ({ file, madeAt: statSync(join(folder, file)).mtimeMs }))
      .map(({ file, madeAt }) => ({ file, madeAt: madeAt > now ? 0 : madeAt }))
      .sort((a, b) => a.madeAt - b.madeAt || (a.file < b.file ? -1 : 1));
  const isDue = (now: number) => now - (copies(now).at(-1)?.madeAt ?? 0) >= everyMs;
  return {
    name: 'backup',
    // Looked at more often than it is done: a restart does not put it off.
    rest: Math.min(everyMs, 60_000),
    async run() {
      makeFolder(folder);
      const now = Date.now();
      if (!isDue(now)) return;
      await backUpSqlite(path, join(folder, `${name}-${timestamp(now)}.db`));
      for (const { file } of copies(Date.now()).slice(0, -keep)) rmSync(join(folder, file));
    },
  };
}

/** Sorts as text like time does, and is a name of a file everywhere. */
export function timestamp(now: number): string {
  return new Date(now).toISOString().replaceAll(':', '-');
}
