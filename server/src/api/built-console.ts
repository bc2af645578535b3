import { fileURLToPath } from 'node:url';
import { readFolder } from '../http/content/files.ts';

/** The console's build output. Packages pass another folder. */
export function readConsole(
  folder = fileURLToPath(new URL('../../../console/dist', import.meta.url)),
): ReadonlyMap<string, Buffer> {
  return readFolder(folder);
}
