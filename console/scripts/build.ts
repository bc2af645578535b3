import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildOnce, hashOf, root } from '../../scripts/cached-build.ts';
import { readArchive, unpackArchive, writeArchive } from '../build/bundle-archive.ts';
import { compress } from '../build/compress.ts';
import { copyContract } from '../build/copy-contract.ts';
import { makeGuides } from '../build/guides.ts';
import { inlineFirstPaint } from '../build/inline-first-paint.ts';

const folder = join(root, 'console');
export const dist = join(folder, 'dist');

/** The bundle is committed, so that an installation without Vite and Tailwind has a console. */
const archive = join(root, 'packaging/console.jsonl');
const bundled = [
  'console/src',
  'console/build',
  'console/index.html',
  'console/landing.html',
  'console/docs.html',
  'console/not-found.html',
  'console/vite.config.ts',
  'client/src',
  'docs/ERRORS.md',
  'contract/v1.yaml',
  'contract/v2.yaml',
  'package-lock.json',
];
/** Undefined in an installation without development dependencies. */
const vite = findVite();

const rendered = ['docs', 'testing/README.md', 'SECURITY.md', 'contract/workflows.yaml', 'contract/overlays'];

/** Builds the console, unless it was built from the same sources. Guides are rendered on every machine. */
export async function buildConsole(): Promise<void> {
  await buildOnce(dist, [...bundled, ...rendered, 'packaging/console.jsonl'], async () => {
    if (isArchiveFresh()) unpackArchive(archive, dist);
    else if (vite !== undefined) await bundle(vite);
    else {
      console.warn('The console is older than its sources: npm ci && npm run build');
      unpackArchive(archive, dist);
    }
    await makeGuides(dist);
    await copyContract(dist);
    await inlineFirstPaint(dist);
    await compress(dist);
  });
}

function findVite(): string | undefined {
  try {
    return findPackageJSON('vite', import.meta.url)?.replace('package.json', 'bin/vite.js');
  } catch {
    return undefined;
  }
}

const isArchiveFresh = () => existsSync(archive) && readArchive(archive).sources === hashOf(bundled);

async function bundle(vite: string): Promise<void> {
  // The test runner's own NODE_ENV would put React's development build into the bundle.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [vite, 'build'], { cwd: folder, env });
}

if (import.meta.main) {
  const { write, check } = parseArgs({
    options: { write: { type: 'boolean' }, check: { type: 'boolean' } },
  }).values;
  if (check && !isArchiveFresh()) {
    console.error('packaging/console.jsonl is older than its sources: npm run build');
    process.exitCode = 1;
  }
  if (write && vite !== undefined && !isArchiveFresh()) {
    await bundle(vite);
    writeArchive(archive, dist, hashOf(bundled));
  }
  if (!check) await buildConsole();
}
