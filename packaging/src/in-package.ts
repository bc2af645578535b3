import { fileURLToPath } from 'node:url';
import { readFolder } from '../../server/src/http/content/files.ts';
import type { ThreadName } from '../../server/src/thread-files.ts';

/** A program from a package finds its pages in a folder beside that of its modules, and its threads among these. */
const here = (folder: string) => fileURLToPath(new URL(`../${folder}`, import.meta.url));

export function readConsole(folder = here('console')): ReadonlyMap<string, Buffer> {
  return readFolder(folder);
}

export function threadFile(name: ThreadName): URL {
  return new URL(`./${name}.js`, import.meta.url);
}
