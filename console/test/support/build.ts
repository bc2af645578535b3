import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('../..', import.meta.url));
export const dist = join(folder, 'dist');
const sources = [
  'src',
  '../client/src',
  'build',
  'index.html',
  'landing.html',
  'docs.html',
  'guide.html',
  '../docs',
  'not-found.html',
  'vite.config.ts',
];

/** Builds the console unless its build is newer than everything it is made of. */
export async function buildConsole(): Promise<void> {
  const built = join(dist, 'landing.html.gz');
  if (isUpToDate(built, folder, sources)) return;
  const vite = createRequire(import.meta.url)
    .resolve('vite/package.json')
    .replace('package.json', 'bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build'], {
    cwd: folder,
    // The test runner's own value would put React's development build into the bundle.
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** Whether a file is newer than everything that it is made of. */
export function isUpToDate(built: string, from: string, names: readonly string[]): boolean {
  if (!existsSync(built)) return false;
  const newest = Math.max(...names.flatMap((name) => changeTimes(join(from, name))));
  return statSync(built).mtimeMs > newest;
}

function changeTimes(path: string): number[] {
  if (!statSync(path).isDirectory()) return [statSync(path).mtimeMs];
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(path, name)).mtimeMs,
  );
}
