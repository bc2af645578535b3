import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { bundle, inExecutable, root, threads } from './bundle.ts';
import { writePages } from './pages.ts';
import { consoleNotices, nodeNotice, thirdPartyNotice } from './third-party.ts';

/** Builds a single executable for this platform: Node, the program with a code cache, worker threads and pages. */
export async function buildExecutable(work: string, output: string): Promise<void> {
  const assets = join(work, 'assets');
  const singleFile = { codeSplitting: false } as const;
  const main = { petstore: join(root, 'cli/src/main.js') };
  const modules = await bundle(main, inExecutable, { dir: work, ...singleFile });
  const threadFolder = join(assets, 'threads');
  // A worker that starts from text runs it as a script, not as a module.
  for (const [name, path] of Object.entries(threads))
    await bundle({ [name]: path }, inExecutable, { dir: threadFolder, ...singleFile, format: 'cjs' });
  writePages(assets, thirdPartyNotice(modules, [...consoleNotices(), nodeNotice()]));

  const config = join(work, 'executable.json');
  const settings = {
    main: join(work, 'petstore.js'),
    mainFormat: 'module',
    output,
    useCodeCache: true,
    disableExperimentalSEAWarning: true,
    // After `--`, Node does not parse our flags, such as --env-file, as its own.
    execArgv: ['--'],
    assets: Object.fromEntries(filesBelow(assets).map((path) => [relative(assets, path), path])),
  };
  writeFileSync(config, JSON.stringify(settings));
  await promisify(execFile)(process.execPath, ['--build-sea', config]);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
