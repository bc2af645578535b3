import { fileURLToPath } from 'node:url';
import { filesOf, readFolder } from '../../server/src/http/content/built-files.ts';
import type { File } from '../../server/src/http/content/files.ts';

/** Where a program from a package finds what is not in its modules: in folders beside that of its modules. */
const here = (folder: string) => fileURLToPath(new URL(`../${folder}`, import.meta.url));

export function readConsole(folder = here('console')): ReadonlyMap<string, Buffer> {
  return readFolder(folder);
}

export async function makeReference(): Promise<ReadonlyMap<string, File>> {
  return filesOf(readFolder(here('reference')));
}

export function threadOf(name: string): URL {
  return new URL(`./${name}.js`, import.meta.url);
}
