import Fastify, { type FastifyInstance } from 'fastify';
import { documents } from './contract.ts';

/** The API reference at `/docs`, with everything it needs in the program: nothing is fetched from elsewhere. */
export function serveDocs(app: FastifyInstance): void {
  let reference: Promise<FastifyInstance> | undefined;
  app.get('/docs', (_, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/*', async (request, reply) => {
    reference ??= buildReference();
    const { statusCode, headers, rawPayload } = await (await reference).inject(request.url);
    if (statusCode !== 200) return reply.callNotFound();
    return reply
      .header('content-type', headers['content-type'])
      .header('etag', headers.etag)
      .send(rawPayload);
  });
}

/** Loaded when somebody first looks: it is some megabytes, and most processes never need it. */
async function buildReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const reference = Fastify();
  await reference.register(scalar, {
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
  return reference;
}
