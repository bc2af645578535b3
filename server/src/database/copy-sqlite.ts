import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { hasContent, writeMarkerFile } from './database-files.ts';
import { Unavailable, UnusableDatabase } from './engine.ts';
import { migrateSqlite, requireIntact } from './prepare-sqlite.ts';
import { isBusy, translateErrors } from './sqlite.ts';

/** Copies all pages in one step: a copy in several steps restarts after every write. */
const ALL_PAGES = 2 ** 31 - 1;
const SIDE_FILES = ['-journal', '-wal', '-shm'];

/** Copies a database that may be in use. The copy appears under its name only when it is complete and checked. */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  if (!hasContent(path)) throw new UnusableDatabase(`database ${path} not found`);
  await writeAtomically(target, (part) => copyTo(part, path));
}

/**
 * Replaces an unused database with `copy`; the old file remains as `<path>-before-restore`. If the process is killed, either
 * the old or the new database is in place.
 */
export async function restoreSqlite(copy: string, path: string, prepare: (part: string) => Promise<void>) {
  if (!hasContent(copy)) throw new UnusableDatabase(`backup ${copy} not found`);
  requireIntact(copy);
  const write = async (part: string) => {
    await copyTo(part, copy);
    migrateSqlite(part, copy);
    await prepare(part);
  };
  await writeAtomically(path, write, () => setAside(path));
  writeMarkerFile(path);
}

async function copyTo(part: string, path: string): Promise<void> {
  using db = translateErrors(path, () => new DatabaseSync(path, { readOnly: true }));
  await backup(db, part, { rate: ALL_PAGES });
}

async function writeAtomically(
  target: string,
  write: (part: string) => Promise<void>,
  beforeRename = () => {},
) {
  const part = `${target}.part`;
  const remove = () => {
    for (const suffix of ['', ...SIDE_FILES]) rmSync(part + suffix, { force: true });
  };
  try {
    remove();
    await write(part);
    chmodSync(part, 0o600);
    leaveWalMode(part);
    requireIntact(part);
    sync(part);
    beforeRename();
    renameSync(part, target);
    sync(dirname(target));
  } catch (error) {
    if (error instanceof UnusableDatabase || error instanceof Unavailable) throw error;
    throw new Unavailable(`${target} could not be written: ${(error as Error).message}`, { cause: error });
  } finally {
    remove();
  }
}

function setAside(path: string): void {
  const aside = `${path}-before-restore`;
  if (existsSync(path)) requireUnused(path);
  for (const suffix of ['', ...SIDE_FILES]) rmSync(aside + suffix, { force: true });
  // Leaving WAL mode removed the log of a readable file. A damaged file may still have a WAL or journal: it is moved, too,
  // or SQLite would apply it to the new file.
  for (const suffix of SIDE_FILES) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  if (existsSync(path)) linkSync(path, aside);
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function leaveWalMode(path: string): void {
  using db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = DELETE');
}

/** WAL mode can be left only if no other connection is open. A damaged file counts as unused. */
function requireUnused(path: string): void {
  try {
    translateErrors(path, () => leaveWalMode(path));
  } catch (error) {
    if (error instanceof UnusableDatabase) return;
    if (isBusy((error as Error).cause)) throw new Unavailable(`${path} is in use: stop the service first`);
    throw error;
  }
}
