import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { temporaryFolder } from './engines.ts';

const BYTES = 5_000_000;

/** A page that is more than the system takes of an answer that nobody reads, and the options of a service that has it. */
export function useLargeFile(): { readonly path: string; readonly options: { consoleFolder: string } } {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'large.js'), Buffer.alloc(BYTES, ' '));
  afterAll(() => folder[Symbol.dispose]());
  return { path: '/console/large.js', options: { consoleFolder: folder.path } };
}
