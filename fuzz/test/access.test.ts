import { METHODS } from 'node:http';
import { expect, it } from 'vitest';
import { fastAccounts, openBrowser, signUpAndIn } from '../../server/test/accounts/browser.ts';
import { everyCase } from '../../server/test/support/effort.ts';
import { sqlite } from '../../server/test/support/engines.ts';
import { startService } from '../../server/test/support/service.ts';
import { agentRoutes, consoleRoutes, documentedRoutes, openRoutes } from '../src/walk/routes.ts';
import { isOwner, visitors } from '../src/walk/walk.ts';

/** HTTP's own methods, as a sample of those Node knows. */
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];

it("only the owner's key and sessions may see private data", () => {
  expect(visitors.filter(isOwner)).toEqual(['own session', 'session opened with own key', 'own key']);
});

it('every route missing from the table rejects requests even with a key and a session', async () => {
  await using service = await startService(sqlite, { accounts: fastAccounts });
  const routes = [...service.app.routes.resources].flatMap(([path, { methods }]) =>
    [...methods.keys()].map((method) => [method, path] as const),
  );
  const walked = [
    ...(await documentedRoutes(service.origin)),
    ...agentRoutes,
    ...consoleRoutes,
    ...openRoutes,
  ];
  const shapes = new Set(
    walked.map(({ method, template }) => `${method} ${template.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  // The pages' catch-all routes are covered by an example of each.
  for (const pages of ['GET /docs/*', 'GET /guides/*', 'GET /console/*']) shapes.add(pages);
  const isKnown = (method: string, path: string) =>
    shapes.has(`${method === 'HEAD' ? 'GET' : method} ${path}`);

  const { key } = await service.openStore();
  const browser = openBrowser(service);
  const { browser: member } = await signUpAndIn(service);
  for (const [name, value] of member.cookies) browser.cookies.set(name, value);
  const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');

  const methods = everyCase ? METHODS.filter((method) => method !== 'CONNECT') : usualMethods;
  const paths = [...new Set(routes.map(([, path]) => path)), '/v1/*', '/v2/*', '/console/api/*'];
  const others = paths
    .flatMap((path) => methods.map((method) => [method, path] as const))
    .filter(
      ([method, path]) => !isKnown(method, path) && !(method === 'HEAD' && path.startsWith('/console/api')),
    );
  expect(others.length).toBeGreaterThan(300);
  const open: string[] = [];
  for (const [method, path] of others) {
    const target = path.replace(/:\w+/g, '1').replace('*', 'nothing');
    const headers = { cookie, origin: service.origin, 'sec-fetch-site': 'same-origin' };
    const { status } = await service.request(`${method} ${target}`, { key, headers });
    if (status !== 404 && status !== 405) open.push(`${method} ${path}: ${status}`);
  }
  expect(open).toEqual([]);
  const routed = new Set(routes.map(([method, path]) => `${method} ${path}`));
  const gone = [...shapes].filter(
    (shape) => !routed.has(shape) && !/^GET \/(docs|guides|console)\//.test(shape),
  );
  expect(gone).toEqual([]);
});
