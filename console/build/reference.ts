import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { parse } from 'yaml';
import type { ApiDocument } from '../src/docs/document.ts';
import type { entriesOf, renderGuideFrame, renderReference } from '../src/docs/render.tsx';

interface Render {
  readonly renderReference: typeof renderReference;
  readonly renderGuideFrame: typeof renderGuideFrame;
  readonly entriesOf: typeof entriesOf;
}

const root = fileURLToPath(new URL('..', import.meta.url));

async function readDocument(version: string): Promise<ApiDocument> {
  const text = await readFile(join(root, `../contract/${version}.yaml`), 'utf8');
  return parse(text, { intAsBigInt: true }) as ApiDocument;
}

/** Renders the reference from `contract/`, and the frame of the guides, into the built `docs.html` template. */
export function makeReference(): Plugin {
  let folder = '';
  return {
    name: 'petstore:reference',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async writeBundle() {
      await using renderer = await openRenderer();
      const { render } = renderer;
      const documents = { v1: await readDocument('v1'), v2: await readDocument('v2') };
      const frame = await readFile(join(folder, 'docs.html'), 'utf8');
      for (const { name, title, body } of await render.renderReference(documents)) {
        const file = join(folder, `docs/${name}.html`);
        await mkdir(dirname(file), { recursive: true });
        const page = frame.replace('<!-- title -->', () => title).replace('<!-- body -->', () => body);
        await writeFile(file, page);
      }
      await writeFile(
        join(folder, 'guide.html'),
        frame.replace('<!-- body -->', () => render.renderGuideFrame()),
      );
      // The guides are rendered later, without Vite: they complete the index.
      await writeFile(join(folder, 'search.json'), JSON.stringify(render.entriesOf(documents)));
      await rm(join(folder, 'docs.html'));
    },
  };
}

/** Loads the page components in Node, compiled by Vite. */
async function openRenderer(): Promise<AsyncDisposable & { readonly render: Render }> {
  const server = await createServer({
    root,
    configFile: false,
    plugins: [react()],
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const render = (await server.ssrLoadModule('/src/docs/render.tsx')) as Render;
  return { render, [Symbol.asyncDispose]: () => server.close() };
}
