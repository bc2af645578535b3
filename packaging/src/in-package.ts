import { fileURLToPath } from 'node:url';
import { type Contents, filesIn } from '../../server/src/http/content/files.ts';

/** In a package, pages are in a sibling directory of the modules, and worker threads next to them. */
const folderNamed = (folder: string) => fileURLToPath(new URL(`../${folder}`, import.meta.url));

export function consoleFiles(folder = folderNamed('console')): Contents {
  return filesIn(folder);
}

export function writerThread(): URL {
  return new URL('./sqlite-writer-thread.js', import.meta.url);
}

export function senderThread(): URL {
  return new URL('./webhook-sender-thread.js', import.meta.url);
}
