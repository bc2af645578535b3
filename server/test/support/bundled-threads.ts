import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Threads of the bundle that was made for the tests, which start some hundred: from sources each takes four times as long. */
export function writerThread(): URL {
  return pathToFileURL(join(dirname(String(process.env.TESTED_PROGRAM)), 'sqlite-writer-thread.js'));
}
