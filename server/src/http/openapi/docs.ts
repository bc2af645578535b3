import { hash } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { pageHeaders } from '../console/security-headers.ts';
import { type File, fileAnswer, makeFile } from '../content/files.ts';
import { answering, type Handler, type Send } from '../server/answer.ts';
import { documents, type Servers } from './contract.ts';
import { notFound } from './operation.ts';

/** The API reference at `/docs`, with everything it needs in the program: nothing is fetched from elsewhere. */
export function serveDocs(
  app: FastifyInstance,
  send: Send,
  { servers, baseUrl }: { servers: Servers; baseUrl: string | undefined },
): void {
  // Made when somebody first looks: it is some megabytes, and most processes never need it.
  let made: Promise<Reference> | undefined;
  const show: Handler = async (request) => {
    made ??= makeReference();
    const { files, scripts } = await made;
    const file = files.get((request.params as { '*': string })['*']);
    if (!file) return notFound();
    const others = servers().slice(1);
    const headers = pageHeaders(
      others.map(({ origin }) => origin),
      baseUrl,
      // The reference writes its styles into the page as it is drawn; only scripts can do harm.
      { scripts, styles: ["'unsafe-inline'"] },
    );
    return fileAnswer(request, file, [...headers, 'cache-control', 'no-cache']);
  };
  app.get(
    '/docs',
    answering(() => ({ status: 301, headers: ['location', '/docs/'] }), send),
  );
  app.get('/docs/*', answering(show, send));
}

const paths = ['', 'js/scalar.js'];

interface Reference {
  readonly files: ReadonlyMap<string, File>;
  /** The scripts that stand in the page itself, as a policy names them. */
  readonly scripts: readonly string[];
}

async function makeReference(): Promise<Reference> {
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
  const files = new Map(await Promise.all(made));
  const inline =
    files
      .get('')
      ?.plain.body.toString()
      .matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs) ?? [];
  const scripts = Array.from(inline, ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`);
  return { files, scripts };
}
