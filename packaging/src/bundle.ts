import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where a program that was packed has what its sources find beside them: pages and threads. */
interface Place {
  /** The module that knows it, in the stead of those that know it of the sources. */
  readonly module: string;
  readonly target: string;
  /** Globals that the target may not have, and the module that has them. */
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

/** Every thread of the program, by its name. */
export const threads = {
  'sqlite-writer-thread': join(root, 'server/src/sqlite-writer-thread.ts'),
  'webhook-sender-thread': join(root, 'server/src/webhook-sender-thread.ts'),
};

/** Plain modules for Node, with every package in them. Says which files they are made of. */
export async function bundle(
  input: Record<string, string>,
  place: Place,
  output: OutputOptions,
): Promise<string[]> {
  await using made = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    plugins: [placing(place)],
    transform: { target: place.target, inject: place.globals ?? {} },
    // Nothing is left out as of no effect: a call that is made only to see whether it throws has one.
    treeshake: false,
    logLevel: 'warn',
    onLog(_level, { message }) {
      throw new Error(`the bundle is not what it should be: ${message}`);
    },
  });
  const { output: written } = await made.write({
    format: 'esm',
    minify: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    ...output,
  });
  return written
    .filter((file): file is OutputChunk => file.type === 'chunk')
    .flatMap(({ moduleIds }) => moduleIds);
}

const ofSources = ['server/src/thread-files.ts', 'server/src/api/built-console.ts'].map((path) =>
  join(root, path),
);

function placing({ module }: Place): Plugin {
  return {
    name: 'petstore:place',
    async resolveId(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found && ofSources.includes(found.id) ? module : found;
    },
  };
}
