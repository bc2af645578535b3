import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isolatedDeclaration } from 'rolldown/experimental';
import { bundle, inPackage, root, threads } from './bundle.ts';
import { writePages } from './pages.ts';
import { consoleNotices, thirdPartyNotice } from './third-party.ts';

const run = promisify(execFile);
const { version, description, license } = manifestOf('.');

/** The program: `npx ./petstore-VERSION.tgz serve`. */
export async function packProgram(folder: string): Promise<void> {
  const dir = join(folder, 'dist');
  const modules = await bundle({ main: join(root, 'cli/src/main.js'), ...threads }, inPackage, { dir });
  cpSync(join(root, 'packaging/src/bin.js'), join(dir, 'petstore.js'));
  writeRest(folder, modules, 'packaging/README.md', {
    name: 'petstore',
    version,
    description,
    license,
    type: 'module',
    bin: { petstore: 'dist/petstore.js' },
    engines: { node: '>=22.19' },
  });
}

/** @petstore/testing: the service without the CLI, and the client. */
export async function packTesting(folder: string): Promise<void> {
  const dir = join(folder, 'dist');
  const modules = await bundle({ index: join(root, 'testing/src/index.ts'), ...threads }, inPackage, { dir });
  await compileClient(join(dir, 'types/client/src'), '--emitDeclarationOnly');
  await writeTypes('testing/src', join(dir, 'types'));
  writeRest(folder, modules, 'testing/README.md', manifestOf('testing'));
}

/** The client, which has no dependencies. */
export async function packClient(folder: string): Promise<void> {
  await compileClient(join(folder, 'dist'));
  writeManifest(folder, 'docs/CLIENT.md', manifestOf('client'));
  // The pages that it links to are not in the package.
  const readme = join(folder, 'README.md');
  writeFileSync(readme, readFileSync(readme, 'utf8').replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1'));
}

/** Runs `npm pack` on the folder and returns the path of the tarball. */
export async function pack(folder: string, target: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', folder, '--pack-destination', target, '--silent']);
  return join(target, stdout.trim());
}

function writeRest(folder: string, modules: readonly string[], readme: string, manifest: object): void {
  writePages(folder, thirdPartyNotice(modules, consoleNotices()));
  writeManifest(folder, readme, manifest);
}

function writeManifest(folder: string, readme: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(root, readme), join(folder, 'README.md'));
}

/** A workspace's package.json without the fields for development. */
function manifestOf(workspace: string) {
  const text = readFileSync(join(root, workspace, 'package.json'), 'utf8');
  const { private: _private, scripts, devDependencies, ...rest } = JSON.parse(text);
  return rest;
}

async function compileClient(outDir: string, ...flags: string[]): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '--project', join(root, 'client'), '--outDir', outDir, ...flags]);
}

/** Emits isolated declarations, so that the types of the service are not needed. */
async function writeTypes(source: string, dir: string): Promise<void> {
  for (const name of readdirSync(join(root, source))) {
    const path = join(source, name);
    const { code, errors } = await isolatedDeclaration(path, readFileSync(join(root, path), 'utf8'));
    if (errors.length > 0) throw new Error(`cannot emit declarations of ${path}: ${errors[0]?.message}`);
    const target = join(dir, path.replace(/\.ts$/, '.d.ts'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}
