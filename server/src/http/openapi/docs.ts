import Fastify, { type FastifyInstance } from 'fastify';
import { type File, fileAnswer, makeFile } from '../content/files.ts';
import { answering, type Handler, type Send } from '../server/answer.ts';
import { documents } from './contract.ts';
import { notFound } from './operation.ts';

/** The API reference at `/docs`, with everything it needs in the program: nothing is fetched from elsewhere. */
export function serveDocs(app: FastifyInstance, send: Send): void {
  // Made when somebody first looks: it is some megabytes, and most processes never need it.
  let files: Promise<ReadonlyMap<string, File>> | undefined;
  const show: Handler = async (request) => {
    files ??= makeReference();
    const file = (await files).get((request.params as { '*': string })['*']);
    return file ? fileAnswer(request, file, ['cache-control', 'no-cache']) : notFound();
  };
  app.get(
    '/docs',
    answering(() => ({ status: 301, headers: ['location', '/docs/'] }), send),
  );
  app.get('/docs/*', answering(show, send));
}

const paths = ['', 'js/scalar.js'];

async function makeReference(): Promise<ReadonlyMap<string, File>> {
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
  const made = paths.map(async (path): Promise<[string, File]> => {
    const { headers, body } = await reference.inject(`/docs/${path}`);
    return [path, await makeFile(String(headers['content-type']), body)];
  });
  return new Map(await Promise.all(made));
}
