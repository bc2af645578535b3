import { describe, expect, it } from 'vitest';
import { v2Document } from '../../src/api/v2-document.ts';
import { v1Document } from '../../src/v1/document.ts';
import { fastAccounts, signUpAndIn } from '../accounts/browser.ts';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

/** Invalid path parameters, as written in a URL. */
const hostile = ['%00', 'wh_%00', '1%00', 'a%00b', '%F0%9F%90%B6', '%EF%BF%BF', "'", '1;--', 'x'.repeat(90)];
const methods = ['get', 'post', 'put', 'patch', 'delete'];

const operations = Object.entries({ '/v1': v1Document, '/v2': v2Document }).flatMap(([prefix, { paths }]) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => methods.includes(method) && path.includes('{'))
      .map((method) => [method.toUpperCase(), `${prefix}${path}`] as const),
  ),
);

/** The path with one of its parameters replaced by this, and the others by what could be one. */
function addressesOf(path: string, text: string): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const usual = (name: string) => (name === 'webhookId' ? 'wh_0123456789abcdef' : '1');
  return names.map((hostileName) =>
    path.replace(/\{(\w+)\}/g, (_, name) => (name === hostileName ? text : usual(name))),
  );
}

describe.each(anyEngine)('a malformed path parameter, on $name,', (engine) => {
  const service = useService(engine, { deployment: 'staging', accounts: fastAccounts });

  it.each(operations)('is 404 for %s %s', async (method, path) => {
    const { key } = await service().openStore();
    const headers = { 'content-type': 'application/json' };
    for (const text of hostile)
      for (const address of addressesOf(path, text)) {
        const body = method === 'GET' ? undefined : method === 'PATCH' ? '{"active":true}' : '{}';
        const sent = body === undefined || path.startsWith('/v1') ? { key } : { key, headers, body };
        const { status } = await service().request(`${method} ${address}`, sent);
        expect([address, status]).toEqual([address, 404]);
      }
  });

  it('is 404 with any body or method', async () => {
    const { key } = await service().openStore();
    for (const type of ['application/json', 'text/plain'])
      for (const path of ['/v2/pets/abc', '/v2/webhooks/%00']) {
        const sent = { key, headers: { 'content-type': type }, body: '{"broken' };
        expect([path, type, (await service().request(`PATCH ${path}`, sent)).status]).toEqual([
          path,
          type,
          404,
        ]);
      }
  });

  it('is 404 in the console as well', async () => {
    const { browser } = await signUpAndIn(service());
    for (const text of hostile)
      for (const [call, body] of [
        [`DELETE /keys/${text}`, undefined],
        [`POST /keys/${text}/roll`, { overlap: 'now' }],
        [`DELETE /sessions/${text}`, undefined],
      ] as const)
        expect([call, (await browser.send(call, body)).status]).toEqual([call, 404]);
  });
});
