import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** How a packaged program locates its pages and worker threads. */
interface Place {
  /** Replaces the modules that locate them in the source tree. */
  readonly module: string;
  readonly target: string;
  /** Polyfills for globals that the target lacks. */
  readonly globals?: Readonly<Record<string, [module: string, name: string]>>;
}

const stacks = join(root, 'packaging/src/disposable-stacks.ts');
export const inPackage: Place = {
  module: join(root, 'packaging/src/in-package.ts'),
  target: 'node22.19',
  globals: {
    DisposableStack: [stacks, 'DisposableStack'],
    AsyncDisposableStack: [stacks, 'AsyncDisposableStack'],
  },
};
export const inExecutable: Place = { module: join(root, 'packaging/src/in-executable.ts'), target: 'node26' };

/** Entry points of the worker threads, by name. */
export const threads = {
  'sqlite-writer-thread': join(root, 'server/src/app/sqlite-writer-thread.ts'),
  'webhook-sender-thread': join(root, 'server/src/app/webhook-sender-thread.ts'),
};

/** Bundles the program and its dependencies for Node. Returns the source files included. */
export async function bundle(
  input: Record<string, string>,
  place: Place,
  output: OutputOptions,
): Promise<string[]> {
  await using build = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    plugins: [locatingPlugin(place)],
    transform: { target: place.target, inject: place.globals ?? {} },
    // Tree shaking would drop calls that are made only to see whether they throw.
    treeshake: false,
    logLevel: 'warn',
    // Slow machines are warned about slow plugins, and every warning is an error.
    checks: { bundlerTimings: false },
    onLog(_level, { message }) {
      throw new Error(`bundling failed: ${message}`);
    },
  });
  const { output: written } = await build.write({
    format: 'esm',
    minify: false,
    // V8 keeps the text of each module, with two bytes per character unless all are Latin-1. `licences.txt` has the notices
    // of packages, but not of files that a package copied from another one.
    comments: { legal: true, annotation: false, jsdoc: false },
    charset: 'ascii',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    ...output,
  });
  return written
    .filter((file): file is OutputChunk => file.type === 'chunk')
    .flatMap(({ moduleIds }) => moduleIds);
}

/** The modules that `Place.module` replaces. */
const locatingModules = ['server/src/concurrency/thread-files.ts', 'server/src/api/built-console.ts'].map(
  (path) => join(root, path),
);

function locatingPlugin({ module }: Place): Plugin {
  return {
    name: 'petstore:place',
    async resolveId(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found && locatingModules.includes(found.id) ? module : found;
    },
  };
}
