import { fileURLToPath } from 'node:url';
import { readFolder } from '../http/content/files.ts';

/** The files that the console's build left; a package has them elsewhere. */
export function readConsole(
  folder = fileURLToPath(new URL('../../../console/dist', import.meta.url)),
): ReadonlyMap<string, Buffer> {
  return readFolder(folder);
}
