import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildOnce, root } from '../../scripts/cached-build.ts';

const folder = join(root, 'console');
export const dist = join(folder, 'dist');
const sources = [
  'console/src',
  'console/build',
  'console/index.html',
  'console/landing.html',
  'console/docs.html',
  'console/guide.html',
  'console/not-found.html',
  'console/vite.config.ts',
  'client/src',
  'docs',
  'contract/workflows.yaml',
  'contract/overlays',
  'package-lock.json',
];

/** `npm run build`: builds the console, unless it was built from the same sources. */
export async function buildConsole(): Promise<void> {
  const vite = createRequire(import.meta.url)
    .resolve('vite/package.json')
    .replace('package.json', 'bin/vite.js');
  // The test runner's own NODE_ENV would put React's development build into the bundle.
  const env = { ...process.env, NODE_ENV: 'production' };
  await buildOnce(dist, sources, () =>
    promisify(execFile)(process.execPath, [vite, 'build'], { cwd: folder, env }),
  );
}

if (import.meta.main) await buildConsole();
