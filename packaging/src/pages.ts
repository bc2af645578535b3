import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';

/** The pages of the service as the console's build left them, with the notice of everything that others own. */
export function writePages(folder: string, notice: string): void {
  const pages = join(folder, 'console');
  cpSync(join(root, 'console/dist'), pages, { recursive: true });
  for (const ending of ['', '.br', '.gz']) rmSync(join(pages, `licences.txt${ending}`), { force: true });
  writeFileSync(join(pages, 'licences.txt'), notice);
}
