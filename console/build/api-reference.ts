import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Plugin } from 'vite';

/** The page and its script, as the service has them below `/docs/`. */
const files = { 'index.html': '/docs/', 'js/scalar.js': '/docs/js/scalar.js' };

/** Puts the API reference into `reference/`: to make its megabytes while serving would hold up everyone. */
export function apiReference(): Plugin {
  return {
    name: 'petstore:api-reference',
    apply: 'build',
    async generateBundle() {
      const app = fastify();
      await app.register(scalar, {
        routePrefix: '/docs',
        configuration: {
          pageTitle: 'Pet Store API',
          sources: ['v1', 'v2'].map((version) => ({ title: version, url: `/${version}/openapi.json` })),
          withDefaultFonts: false,
          hideClientButton: true,
          telemetry: false,
          agent: { disabled: true },
          mcp: { disabled: true },
          showDeveloperTools: 'never',
        },
      });
      for (const [name, path] of Object.entries(files)) {
        const { body: source } = await app.inject(path);
        this.emitFile({ type: 'asset', fileName: `reference/${name}`, source });
      }
      await app.close();
    },
  };
}
