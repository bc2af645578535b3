import { fileAnswer } from '../http/content/files.ts';
import type { Handler } from '../http/server/answer.ts';
import { madeOnce } from '../http/server/made-once.ts';
import { notFound, type Routes } from '../http/server/routes.ts';
import { documents, type Servers } from './contract.ts';
import { makeReference } from './reference.ts';
import { pageHeaders } from './security-headers.ts';

const PAGE = 'index.html';
/** The page looks at its address for the version to show. */
const isPage = (name: string) => name === '' || Object.keys(documents).includes(`/${name}`);

/** The API reference at `/docs`, with everything it needs in the program: nothing is fetched from elsewhere. */
export function serveDocs(
  routes: Routes,
  { servers, baseUrl }: { servers: Servers; baseUrl: string | undefined },
): void {
  // Made when somebody first looks: it is some megabytes, and most processes never need it.
  const reference = madeOnce(makeReference);
  const show: Handler = async (request) => {
    const files = await reference();
    const name = request.params['*'] ?? '';
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
  routes.serve('/docs', { GET: [() => ({ status: 301, headers: ['location', '/docs/'] })] });
  routes.serve('/docs/*', { GET: [show] });
}
