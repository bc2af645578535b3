import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.ts';

/** Copies the built console pages, with the third-party notice of the whole package. */
export function writePages(folder: string, notice: string): void {
  const pages = join(folder, 'console');
  cpSync(join(root, 'console/dist'), pages, { recursive: true });
  for (const ending of ['', '.br', '.gz']) rmSync(join(pages, `licences.txt${ending}`), { force: true });
  writeFileSync(join(pages, 'licences.txt'), notice);
}
