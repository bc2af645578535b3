import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { requireSound } from './check-sqlite.ts';
import { hasContent, noteDatabase } from './database-note.ts';
import { Unavailable, UnusableDatabase } from './engine.ts';
import { translate } from './sqlite.ts';

/** More pages than any file has: a copy made in several steps begins anew whenever somebody writes between two. */
const ALL_PAGES = 2 ** 31 - 1;

/** Copies a database that may be in use, as it is at one moment. Under the name there is a whole, checked copy or none. */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  if (!hasContent(path)) throw new UnusableDatabase(`there is no database ${path}`);
  await placeWhole(target, async (part) => {
    using db = translate(path, () => new DatabaseSync(path, { readOnly: true }));
    await backup(db, part, { rate: ALL_PAGES });
  });
}

/** Puts a copy in the place of a database that nobody uses. What was there before is kept beside it. */
export async function restoreSqlite(copy: string, path: string): Promise<void> {
  if (!hasContent(copy)) throw new UnusableDatabase(`there is no copy ${copy}`);
  requireSound(copy);
  await placeWhole(path, async (part) => {
    copyFileSync(copy, part);
    if (existsSync(path)) requireUnused(path);
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(path + end)) renameSync(path + end, `${path}-before-restore${end}`);
  });
  noteDatabase(path);
}

/** Made under another name, checked, on disk, and only then given its name. */
async function placeWhole(target: string, make: (part: string) => Promise<void>): Promise<void> {
  const part = `${target}.part`;
  const remove = () => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(part + end, { force: true });
  };
  try {
    remove();
    await make(part);
    chmodSync(part, 0o600);
    leaveSharedMode(part);
    requireSound(part);
    sync(part);
    renameSync(part, target);
    sync(dirname(target));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof UnusableDatabase || error instanceof Unavailable) throw error;
    throw new Unavailable(`${target} could not be written: ${code ?? ''} ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    remove();
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A copy is one file, with no log beside it; the service takes it back into the mode in which many share a file. */
function leaveSharedMode(path: string): void {
  using db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = DELETE');
}

/** Only who is alone can leave that mode. A file that cannot even be opened is used by nobody. */
function requireUnused(path: string): void {
  try {
    leaveSharedMode(path);
  } catch (error) {
    const code = Number((error as { errcode?: number }).errcode) & 0xff;
    if (code === 5 || code === 6) throw new Unavailable(`${path} is in use: stop the service first`);
  }
}
