import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { temporaryFolder } from './engines.ts';

const BYTES = 5_000_000;

/** A page too large for the kernel to buffer while a client does not read, and the service options that serve it. */
export function useLargeFile(): { readonly path: string; readonly options: { consoleFolder: string } } {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'large.js'), Buffer.alloc(BYTES, ' '));
  afterAll(() => folder[Symbol.dispose]());
  return { path: '/console/large.js', options: { consoleFolder: folder.path } };
}
