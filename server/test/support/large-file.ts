import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { temporaryFolder } from './engines.ts';

const BYTES = 5_000_000;

/** A page larger than the kernel buffers for a client that does not read, and service options for it. */
export function useLargeFile(): { readonly path: string; readonly options: { consoleFolder: string } } {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'large.js'), Buffer.alloc(BYTES, ' '));
  afterAll(() => folder[Symbol.dispose]());
  return { path: '/console/large.js', options: { consoleFolder: folder.path } };
}
