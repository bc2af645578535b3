import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { hasContent, noteDatabase } from './database-files.ts';
import { Unavailable, UnusableDatabase } from './engine.ts';
import { migrateSqlite, requireSound } from './prepare-sqlite.ts';
import { isBusy, translatingErrors } from './sqlite.ts';

/** More pages than any file has: a copy made in several steps begins anew whenever somebody writes between two. */
const ALL_PAGES = 2 ** 31 - 1;
const BESIDE = ['-journal', '-wal', '-shm'];

/** Copies a database that may be in use, as it is at one moment. Under the name there is a whole, checked copy or none. */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  if (!hasContent(path)) throw new UnusableDatabase(`there is no database ${path}`);
  await placeWhole(target, (part) => copyTo(part, path));
}

/** Puts a copy in the place of a database that nobody uses, and keeps that one beside it. A kill leaves one of them. */
export async function restoreSqlite(copy: string, path: string, prepare: (part: string) => Promise<void>) {
  if (!hasContent(copy)) throw new UnusableDatabase(`there is no copy ${copy}`);
  requireSound(copy);
  const make = async (part: string) => {
    await copyTo(part, copy);
    migrateSqlite(part, copy);
    await prepare(part);
  };
  await placeWhole(path, make, () => setAside(path));
  noteDatabase(path);
}

async function copyTo(part: string, path: string): Promise<void> {
  using db = translatingErrors(path, () => new DatabaseSync(path, { readOnly: true }));
  await backup(db, part, { rate: ALL_PAGES });
}

async function placeWhole(target: string, make: (part: string) => Promise<void>, makeRoom = () => {}) {
  const part = `${target}.part`;
  const remove = () => {
    for (const end of ['', ...BESIDE]) rmSync(part + end, { force: true });
  };
  try {
    remove();
    await make(part);
    chmodSync(part, 0o600);
    leaveWalMode(part);
    requireSound(part);
    sync(part);
    makeRoom();
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
  for (const end of ['', ...BESIDE]) rmSync(aside + end, { force: true });
  // Only a file that cannot be opened still has a log by now, which must not be taken for that of another one.
  for (const end of BESIDE) if (existsSync(path + end)) renameSync(path + end, aside + end);
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

/** Only who is alone can leave WAL mode: others make it busy or locked. A damaged file is used by nobody. */
function requireUnused(path: string): void {
  try {
    translatingErrors(path, () => leaveWalMode(path));
  } catch (error) {
    if (error instanceof UnusableDatabase) return;
    if (isBusy((error as Error).cause)) throw new Unavailable(`${path} is in use: stop the service first`);
    throw error;
  }
}
