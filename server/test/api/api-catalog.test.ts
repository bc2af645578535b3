import { expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

it('the API catalog lists v1, v2, events, MCP and docs without a key, and its links work', async () => {
  const [engine] = anyEngine as [(typeof anyEngine)[number]];
  await using service = await startService(engine);
  const { status, headers, text } = await service.request('GET /.well-known/api-catalog');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(headers.link).toBe('</.well-known/api-catalog>; rel="api-catalog"');
  const { linkset } = JSON.parse(text);
  const [catalog, ...apis] = linkset as Array<Record<string, Array<{ href: string }>> & { anchor: string }>;
  const hrefs = catalog?.item?.map(({ href }) => new URL(href).pathname);
  expect(hrefs).toEqual(['/v1', '/v2', '/v2/store/events/stream', '/mcp', '/docs']);
  expect(apis.map(({ anchor }) => new URL(anchor).pathname)).toEqual(hrefs?.slice(0, -1));
  const linked = apis.flatMap(({ anchor: _, ...links }) => Object.values(links).flat());
  for (const { href } of linked) {
    const { pathname } = new URL(href);
    expect([pathname, (await service.request(`HEAD ${pathname}`)).status]).toEqual([pathname, 200]);
  }
});
