import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isUpToDate } from '../../../console/test/support/build.ts';
import { bundle, inPackage, root, threads } from '../../../packaging/src/bundle.ts';

const sources = [
  'server/src',
  'cli/src',
  'acceptance/src/bugs',
  'client/src',
  'packaging/src',
  'package-lock.json',
];

/** Makes the program that tests start, as a package has it: it takes half as long to start as its sources. */
export async function bundleProgram(): Promise<void> {
  const main = String(process.env.TESTED_PROGRAM);
  if (isUpToDate(main, root, sources)) return;
  const dir = dirname(main);
  const folder = dirname(dir);
  rmSync(folder, { recursive: true, force: true });
  await bundle({ main: join(root, 'cli/src/main.js'), ...threads }, inPackage, { dir });
  symlinkSync(join(root, 'console/dist'), join(folder, 'console'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}
