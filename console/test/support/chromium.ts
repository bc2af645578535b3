import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageFile from '../../../package.json' with { type: 'json' };
import { cache } from '../../../scripts/cached-build.ts';

const folder = join(cache, `chromium-${packageFile.devDependencies['@sparticuz/chromium']}`);
const unpack = fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url));

/** Where Chromium is. It is unpacked once, under another name until it is complete. */
export async function chromiumPath(): Promise<string> {
  const path = join(folder, 'chromium');
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  await promisify(execFile)(process.execPath, [unpack], { env: { ...process.env, TMPDIR: partial } });
  renameSync(partial, folder);
  return path;
}
