import { type BigIntStats, statSync } from 'node:fs';
import { Unavailable } from './engine.ts';

export interface FileMark {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function markOf(path: string): FileMark {
  const found = find(path);
  if (!found) throw new Unavailable(`the database ${path} is not there`);
  return { dev: found.dev, ino: found.ino };
}

/** Refuses to go on when the path names another file by now, or none: what is written would be lost with the open one. */
export function requireSameFile(path: string, mark: FileMark): void {
  const found = find(path);
  if (found?.dev === mark.dev && found.ino === mark.ino) return;
  const what = found ? 'was replaced' : 'was removed';
  throw new Unavailable(
    `the database cannot be used: ${path} ${what} while it was open; put it back, or restart the service`,
  );
}

function find(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
