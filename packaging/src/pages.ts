import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeReference } from '../../server/src/http/openapi/reference.ts';
import { root } from './bundle.ts';

const endings = { plain: '', br: '.br', gzip: '.gz' };

/** Made once for all packages: to compress it takes a while. */
let reference: ReturnType<typeof makeReference> | undefined;

/** The pages of the service as it sends them: the console, with the notice of what others own, and the reference. */
export async function writePages(folder: string, notice: string): Promise<void> {
  const console = join(folder, 'console');
  cpSync(join(root, 'console/dist'), console, { recursive: true });
  for (const ending of Object.values(endings))
    rmSync(join(console, `licences.txt${ending}`), { force: true });
  writeFileSync(join(console, 'licences.txt'), notice);
  reference ??= makeReference();
  for (const [name, { plain, compressed }] of await reference) {
    const path = join(folder, 'reference', name);
    mkdirSync(dirname(path), { recursive: true });
    for (const [form, { body }] of Object.entries({ plain, ...compressed }))
      writeFileSync(path + endings[form as keyof typeof endings], body);
  }
}
