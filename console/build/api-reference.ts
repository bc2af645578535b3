import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Plugin } from 'vite';

const SCRIPT = 'js/scalar.js';

/** Puts the API reference into `reference/`: our page, and the script that draws what is in it. */
export function apiReference(): Plugin {
  let folder = '';
  return {
    name: 'petstore:api-reference',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async generateBundle() {
      const app = fastify();
      await app.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
      const { body: source, statusCode } = await app.inject(`/docs/${SCRIPT}`);
      if (statusCode !== 200) throw new Error('the script of the API reference is not where it was');
      this.emitFile({ type: 'asset', fileName: `reference/${SCRIPT}`, source });
      await app.close();
    },
    async writeBundle() {
      await rename(join(folder, 'docs.html'), join(folder, 'reference', 'index.html'));
    },
  };
}
