import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../database/data-folder.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Job } from '../writer/background.ts';

export interface BackupPlan {
  readonly name: DeploymentName;
  /** Where the copies go; nobody else puts any there. */
  readonly folder: string;
  readonly everyMs: number;
  readonly keep: number;
  /** Makes a checked copy, unless `signal` ends it. */
  copy(target: string, signal: AbortSignal): Promise<void>;
}

/** Copies the embedded database from time to time, and keeps so many of the newest copies. */
export function backUpRegularly({ name, folder, everyMs, keep, copy }: BackupPlan): Job {
  const filesLike = (end: RegExp) =>
    readdirSync(folder).filter((file) => file.startsWith(`${name}-`) && end.test(file));
  /** What is left of copies that were ended while they were made. */
  const sweep = () => {
    for (const file of filesLike(/\.db\.part(-journal)?$/)) rmSync(join(folder, file), { force: true });
  };
  /** The oldest first. One of the future, which a clock that was ahead left behind, counts as the oldest. */
  const copies = (now: number) =>
    filesLike(/\.db$/)
      .map((file) => ({ file, madeAt: statSync(join(folder, file)).mtimeMs }))
      .map(({ file, madeAt }) => ({ file, madeAt: madeAt > now ? 0 : madeAt }))
      .sort((a, b) => a.madeAt - b.madeAt || (a.file < b.file ? -1 : 1));
  const isDue = (now: number) => now - (copies(now).at(-1)?.madeAt ?? 0) >= everyMs;
  let isGood = true;
  return {
    name: 'backup',
    last: () => {
      const newest = existsSync(folder) ? copies(Date.now()).at(-1) : undefined;
      return { at: newest?.madeAt ?? 0, isGood };
    },
    // Looked at more often than it is done: a restart does not put it off.
    rest: Math.min(everyMs, 60_000),
    async run(signal) {
      makeFolder(folder);
      sweep();
      const now = Date.now();
      if (!isDue(now)) return;
      isGood = false;
      await copy(join(folder, `${name}-${timestamp(now)}.db`), signal);
      sweep();
      for (const { file } of copies(Date.now()).slice(0, -keep)) rmSync(join(folder, file));
      isGood = true;
    },
  };
}

/** Sorts as text like time does, and is a name of a file everywhere. */
export function timestamp(now: number): string {
  return new Date(now).toISOString().replaceAll(':', '-');
}
