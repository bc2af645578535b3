import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));
/** Ignored by git, and removed by `npm ci`. */
export const cache = join(root, 'node_modules/.cache');

/**
 * Builds a folder, unless it was built from the same inputs (files and folders of the project). The hash of the inputs is
 * removed before a build and written after it: a build that was interrupted is built again.
 */
export async function buildOnce(
  folder: string,
  inputs: readonly string[],
  build: () => Promise<unknown>,
): Promise<void> {
  const stamp = join(cache, `built/${folder.replaceAll(/\W/g, '-')}`);
  const hash = hashOf(inputs);
  if (existsSync(folder) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  rmSync(stamp, { force: true });
  await build();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

export function hashOf(inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesOf)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}
