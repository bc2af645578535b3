import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ThreadName } from '../../src/thread-files.ts';

/** Threads of the bundle that was made for the tests, which start some hundred: from sources each takes four times as long. */
export function threadFile(name: ThreadName): URL {
  return pathToFileURL(join(dirname(String(process.env.TESTED_PROGRAM)), `${name}.js`));
}
