import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../console/security-headers.ts';
import { type File, fileAnswer } from '../content/files.ts';
import { answering, type Handler, type Send } from '../server/answer.ts';
import type { Servers } from './contract.ts';
import { notFound } from './operation.ts';
import { makeReference } from './reference.ts';

const PAGE = 'index.html';

/** The API reference at `/docs`, with everything it needs in the program: nothing is fetched from elsewhere. */
export function serveDocs(
  app: FastifyInstance,
  send: Send,
  { servers, baseUrl }: { servers: Servers; baseUrl: string | undefined },
): void {
  // Made when somebody first looks: it is some megabytes, and most processes never need it.
  let made: Promise<Reference> | undefined;
  const show: Handler = async (request) => {
    made ??= openReference();
    const { files, scripts } = await made;
    const file = files.get((request.params as { '*': string })['*'] || PAGE);
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

interface Reference {
  readonly files: ReadonlyMap<string, File>;
  /** The scripts that stand in the page itself, as a policy names them. */
  readonly scripts: readonly string[];
}

async function openReference(): Promise<Reference> {
  const files = await makeReference();
  const inline =
    files
      .get(PAGE)
      ?.plain.body.toString()
      .matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs) ?? [];
  const scripts = Array.from(inline, ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`);
  return { files, scripts };
}
