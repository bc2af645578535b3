import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import packageFile from './package.json' with { type: 'json' };
import { copyTypeScript, run, type Target, typeScript, v2 } from './target.ts';

const { devDependencies: versions } = packageFile;

/** Runs a script that calls a generator, in its own process. */
async function generate(folder: string, lines: string): Promise<void> {
  writeFileSync(join(folder, 'generate.mjs'), lines);
  await run([process.execPath, 'generate.mjs'], folder);
}

export const heyApiPlugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];

export async function generateWithHeyApi(folder: string, plugins: readonly unknown[]): Promise<void> {
  const output = { path: join(folder, 'generated'), module: { extension: '.ts' }, tsConfigPath: null };
  const options = { input: v2, output, plugins, logs: { level: 'silent' } };
  const call = `await createClient(${JSON.stringify(options)});`;
  await generate(folder, `import { createClient } from '@hey-api/openapi-ts';\n${call}\n`);
}

/** Generators from npm. */
export const npmTargets: readonly Target[] = [
  {
    name: `openapi-typescript ${versions['openapi-typescript']}, openapi-fetch ${versions['openapi-fetch']}`,
    settings: '',
    ...typeScript,
    async prepare(folder) {
      const cli = join(
        dirname(createRequire(import.meta.url).resolve('openapi-typescript')),
        '../bin/cli.js',
      );
      await run([process.execPath, cli, v2, '--output', 'schema.ts'], folder);
      copyTypeScript('openapi-fetch.ts', folder);
    },
  },
  {
    name: `@hey-api/openapi-ts ${versions['@hey-api/openapi-ts']}`,
    settings: 'plugins client-fetch, typescript, sdk',
    ...typeScript,
    async prepare(folder) {
      await generateWithHeyApi(folder, heyApiPlugins);
      copyTypeScript('hey-api.ts', folder);
    },
  },
  {
    name: `orval ${versions.orval}`,
    settings: '`client: fetch`; requests relative paths: set `baseUrl`',
    ...typeScript,
    async prepare(folder) {
      const output = { target: join(folder, 'generated.ts'), client: 'fetch', mode: 'single' };
      const options = { input: { target: v2 }, output, logLevel: 'silent' };
      const call = `await generate(${JSON.stringify(options)}, ${JSON.stringify(folder)});`;
      await generate(folder, `import { generate } from 'orval';\n${call}\n`);
      copyTypeScript('orval.ts', folder);
    },
  },
];
