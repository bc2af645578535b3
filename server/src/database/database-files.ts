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

/** Not Node's recursive `mkdir`, which loops indefinitely if a folder cannot be created in an existing one. */
function createFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) createFolders(parent);
  mkdirSync(path, { mode: 0o700 });
}

export function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A file next to the database. If only this file exists, the database was lost. */
const markerFileOf = (path: string) => `${path}-note`;

export function writeMarkerFile(path: string): void {
  if (hasContent(markerFileOf(path))) return;
  const text = `${basename(path)} is a database. If it is missing, restore it: the service does not create a new one while this file exists.\n`;
  try {
    writeFileSync(markerFileOf(path), text, { flush: true, mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Unavailable(`${markerFileOf(path)} cannot be written (${code})`);
  }
}

/** Rejects a missing or empty database that once existed: a new one would hide the data loss. */
export function rejectMissingDatabase(path: string): void {
  const trace = [markerFileOf(path), `${path}-wal`].find(hasContent);
  if (trace === undefined) return;
  const state = existsSync(path) ? 'empty' : 'missing';
  throw new UnusableDatabase(
    `the database ${path} is ${state}, but ${basename(trace)} shows that it existed: restore it, or remove ${trace} to create a new one`,
  );
}

/** SQLite removes -shm before -wal when it closes a database: -shm alone means that the log was removed. */
export function rejectLostWal(path: string): void {
  const isLost = () => existsSync(`${path}-shm`) && !existsSync(`${path}-wal`);
  // Checked twice: another process that closes the database may remove both files between the two calls.
  if (!isLost() || !isLost()) return;
  throw new UnusableDatabase(
    `the database ${path} was not closed, and its log ${path}-wal with the latest changes is missing: put it back, or restore a backup; to continue without those changes, remove ${path}-shm`,
  );
}

/** Device and inode, to detect that a path later names another file. */
export type FileIdentity = string;

export function identityOf(path: string): FileIdentity {
  const identity = findIdentity(path);
  if (identity === undefined) throw new Unavailable(`database ${path} not found`);
  return identity;
}

/** Throws if the path names another file or none: changes to the open file would be lost. */
export function requireSameFile(path: string, identity: FileIdentity): void {
  const found = findIdentity(path);
  if (found === identity) return;
  const what = found === undefined ? 'was removed' : 'was replaced';
  throw new Unavailable(
    `the database cannot be used: ${path} ${what} while it was open; put it back, or restart the service`,
  );
}

function findIdentity(path: string): FileIdentity | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Locks a file next to the database while this process serves it. The lock ends with the process. */
export function lockServedDatabase(path: string): Disposable & { readonly isShared: boolean } {
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
