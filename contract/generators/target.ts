import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type OpenAPIOverlayOptions, openapiOverlay, parseFile, writeFile } from 'openapi-format';

export type Command = readonly [program: string, ...args: string[]];

/** A generator, its output, and how a program that uses it is built and run. */
export interface Target {
  readonly name: string;
  readonly settings: string;
  /** Generates the client in a folder, and copies the program that uses it. */
  prepare(folder: string): Promise<void>;
  readonly build: readonly Command[];
  readonly run?: Command;
  readonly env?: Readonly<Record<string, string>>;
}

export const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
export const v2 = path('../v2.yaml');

/** A folder for one generator's output, from which the packages of this workspace can be imported. */
export function openFolder(): Disposable & { readonly folder: string } {
  const outer = mkdtempDisposableSync(join(tmpdir(), 'petstore-generated-'));
  const folder = join(outer.path, 'generated');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(path('../../node_modules'), join(outer.path, 'node_modules'), 'junction');
  symlinkSync(path('node_modules'), join(folder, 'node_modules'), 'junction');
  return { folder, [Symbol.dispose]: () => outer[Symbol.dispose]() };
}

/** Copies a program next to the client that it calls. */
export function copyProgram(name: string, folder: string, as: string = name): void {
  cpSync(path(`programs/${name}`), join(folder, as));
}

const execute = promisify(execFile);

export async function run(
  [program, ...args]: Command,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const { stdout } = await execute(program, args, options);
  return stdout;
}

/** Applies an overlay of `contract/overlays` to the document of version 2, and writes the result. */
export async function applyOverlay(name: string, file: string): Promise<void> {
  const document = await parseFile(v2);
  const overlaySet = (await parseFile(path(`../overlays/${name}`))) as OpenAPIOverlayOptions['overlaySet'];
  const { data } = await openapiOverlay(document, { overlaySet });
  await writeFile(file, data, {});
}

/** Without our options beyond `strict`, which generated code does not meet. */
const compilerOptions = {
  target: 'esnext',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  lib: ['esnext', 'dom'],
  types: ['node'],
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Copies a program in TypeScript: the steps of all clients, and the calls of one. */
export function copyTypeScript(name: string, folder: string): void {
  copyProgram('scenario.ts', folder);
  copyProgram(name, folder, 'run.ts');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
}

export const tsc: Command = [
  process.execPath,
  path('../../node_modules/typescript/bin/tsc'),
  '--project',
  '.',
];
export const typeScript = {
  build: [tsc],
  run: [process.execPath, 'run.ts'],
} satisfies Partial<Target>;
