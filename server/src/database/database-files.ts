import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Unavailable, UnusableDatabase } from './engine.ts';

export function createFolder(path: string): void {
  try {
    createFolders(resolve(path));
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableDatabase(`the data folder ${path} cannot be written to (${code})`);
  }
}

/** One by one: where a folder cannot be made although the one above is there, Node's own way tries for ever. */
function createFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) createFolders(above);
  mkdirSync(path, { mode: 0o700 });
}

export function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The note outlives the database: it says that there was one. */
const noteOf = (path: string) => `${path}-note`;

export function noteDatabase(path: string): void {
  if (hasContent(noteOf(path))) return;
  const text = `${basename(path)} is a database. If it is missing, restore it: the service will not begin anew while this note is here.\n`;
  try {
    writeFileSync(noteOf(path), text, { flush: true, mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Unavailable(`the note ${noteOf(path)} beside the database cannot be written (${code})`);
  }
}

/** An empty database in place of the one that was there would hide that everything is gone. */
export function rejectReplacement(path: string): void {
  const trace = [noteOf(path), `${path}-wal`].find(hasContent);
  if (trace === undefined) return;
  const state = existsSync(path) ? 'empty' : 'missing';
  throw new UnusableDatabase(
    `the database ${path} is ${state}, but ${basename(trace)} shows that there was one: restore it, or remove ${trace} to begin anew`,
  );
}

/** SQLite removes -shm before -wal when it closes a database: one without the other means that the log was taken away. */
export function rejectLostWal(path: string): void {
  const isLost = () => existsSync(`${path}-shm`) && !existsSync(`${path}-wal`);
  // Looked at twice: another program that closes it may remove both files between the two questions.
  if (!isLost() || !isLost()) return;
  throw new UnusableDatabase(
    `the database ${path} was not closed, and its log ${path}-wal with the last changes is missing: put it back, or restore a copy; to go on without those changes, remove ${path}-shm`,
  );
}

/** Tells a file from any other that has its name later. */
export type FileMark = string;

export function markOf(path: string): FileMark {
  const mark = look(path);
  if (mark === undefined) throw new Unavailable(`the database ${path} is not there`);
  return mark;
}

/** Refuses to go on when the path names another file by now, or none: what is written would be lost with the open one. */
export function requireSameFile(path: string, mark: FileMark): void {
  const found = look(path);
  if (found === mark) return;
  const what = found === undefined ? 'was removed' : 'was replaced';
  throw new Unavailable(
    `the database cannot be used: ${path} ${what} while it was open; put it back, or restart the service`,
  );
}

function look(path: string): FileMark | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Marks a database as served for as long as this process lives: the lock is the system's, and ends with its holder. */
export function markServed(path: string): Disposable & { readonly isShared: boolean } {
  const file = `${path}-serving`;
  closeSync(openSync(file, 'a', 0o600));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    return { isShared: true, [Symbol.dispose]: () => {} };
  }
  return {
    isShared: false,
    [Symbol.dispose]() {
      rmSync(file, { force: true });
      lock.close();
    },
  };
}
