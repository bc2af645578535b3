import { fileURLToPath } from 'node:url';
import { readFolder } from '../../server/src/http/content/files.ts';

/** A program from a package finds its pages in a folder beside that of its modules, and its threads among these. */
const here = (folder: string) => fileURLToPath(new URL(`../${folder}`, import.meta.url));

export function readConsole(folder = here('console')): ReadonlyMap<string, Buffer> {
  return readFolder(folder);
}

export function writerThread(): URL {
  return new URL('./sqlite-writer-thread.js', import.meta.url);
}

export function senderThread(): URL {
  return new URL('./webhook-sender-thread.js', import.meta.url);
}
