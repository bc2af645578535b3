import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../console/security-headers.ts';
import { fileAnswer } from '../content/files.ts';
import type { Handler, Send } from '../server/answer.ts';
import { answering } from '../server/guard.ts';
import { madeOnce } from '../server/made-once.ts';
import { documents, type Servers } from './contract.ts';
import { notFound } from './operation.ts';
import { makeReference } from './reference.ts';

const PAGE = 'index.html';
/** The page looks at its address for the version to show. */
const isPage = (name: string) => name === '' || Object.keys(documents).includes(`/${name}`);

/** The API reference at `/docs`, with everything it needs in the program: nothing is fetched from elsewhere. */
export function serveDocs(
  app: FastifyInstance,
  send: Send,
  { servers, baseUrl }: { servers: Servers; baseUrl: string | undefined },
): void {
  // Made when somebody first looks: it is some megabytes, and most processes never need it.
  const reference = madeOnce(makeReference);
  const show: Handler = async (request) => {
    const files = await reference();
    const name = (request.params as { '*': string })['*'];
    const file = files.get(isPage(name) ? PAGE : name);
    if (!file) return notFound();
    const others = servers().slice(1);
    const headers = pageHeaders(
      others.map(({ origin }) => origin),
      baseUrl,
      // The reference writes its styles into the page as it is drawn; only scripts can do harm.
      { styles: ["'unsafe-inline'"] },
    );
    return fileAnswer(request, file, [...headers, 'cache-control', 'no-cache']);
  };
  app.get(
    '/docs',
    answering(() => ({ status: 301, headers: ['location', '/docs/'] }), send),
  );
  app.get('/docs/*', answering(show, send));
}
