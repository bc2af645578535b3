import { fileURLToPath } from 'node:url';
import { filesOf, NOT_BUILT, readFolder } from '../http/content/built-files.ts';
import type { File } from '../http/content/files.ts';

const built = fileURLToPath(new URL('../../../console/dist/reference', import.meta.url));

/** The files of the API reference, which the console's build makes. A package has them elsewhere. */
export async function makeReference(): Promise<ReadonlyMap<string, File>> {
  return new Map([['index.html', NOT_BUILT], ...filesOf(readFolder(built))]);
}
