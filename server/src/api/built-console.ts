import { fileURLToPath } from 'node:url';
import { type Contents, filesIn } from '../http/content/files.ts';

/** The console's build output. Packages pass another folder. */
export function consoleFiles(
  folder = fileURLToPath(new URL('../../../console/dist', import.meta.url)),
): Contents {
  return filesIn(folder);
}
