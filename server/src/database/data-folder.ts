import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UnusableDatabase } from './engine.ts';

/** Makes the folder of embedded databases, or refuses one that cannot be written to. */
export function makeFolder(path: string): void {
  try {
    makeFolders(resolve(path));
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableDatabase(`the data folder ${path} cannot be written to (${code})`);
  }
}

/** One by one: where a folder cannot be made although the one above is there, Node's own way tries for ever. */
function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolders(above);
  mkdirSync(path, { mode: 0o700 });
}
