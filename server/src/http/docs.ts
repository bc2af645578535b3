import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { documents } from './contract.ts';

/** The API reference at `/docs`, with everything it needs in the program: nothing is fetched from elsewhere. */
export function serveDocs(app: FastifyInstance): void {
  app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      pageTitle: 'Pet Store API',
      sources: Object.keys(documents).map((prefix) => ({
        title: prefix.slice(1),
        url: `${prefix}/openapi.json`,
      })),
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
}
