import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Unavailable, UnusableDatabase } from './engine.ts';

/** The note outlives the database: it says that there was one. */
const noteOf = (path: string) => `${path}-note`;

export function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** An empty database in place of the one that was there would hide that everything is gone. */
export function refuseToReplace(path: string): void {
  const trace = [noteOf(path), `${path}-wal`].find(hasContent);
  if (trace === undefined) return;
  const state = existsSync(path) ? 'empty' : 'missing';
  throw new UnusableDatabase(
    `the database ${path} is ${state}, but ${basename(trace)} shows that there was one: restore it, or remove ${trace} to begin anew`,
  );
}

/** SQLite removes -shm before -wal when it closes a database: one without the other means that the log was taken away. */
export function refuseLostLog(path: string): void {
  const isLost = () => existsSync(`${path}-shm`) && !existsSync(`${path}-wal`);
  // Looked at twice: another program may be closing it at this moment.
  if (!isLost() || !isLost()) return;
  throw new UnusableDatabase(
    `the database ${path} was not closed, and its log ${path}-wal with the last changes is missing: put it back, or restore a copy; to go on without those changes, remove ${path}-shm`,
  );
}

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
