import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../client/src/index.ts';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { fastAccounts, openBrowser, PASSWORD } from '../accounts/browser.ts';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const [engine] = anyEngine as [(typeof anyEngine)[number]];

const PUBLIC = 'http://pets.example/shop/api';
const servers = () => [{ name: 'production', origin: PUBLIC }] as const;

describe('a base path', () => {
  const service = useService(engine, { baseUrl: PUBLIC, servers, accounts: fastAccounts });

  it('works behind a proxy that keeps it and one that strips it', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const headers = { authorization: `Bearer ${key}` };
    const [removed, passed] = [
      await request('GET /v1/pets', { headers }),
      await request('GET /shop/api/v1/pets', { headers }),
    ];
    expect([removed.status, passed.status]).toEqual([200, 200]);
    expect(passed.text).toBe(removed.text);
    for (const path of ['', '/', '/healthz', '/llms.txt', '/docs', '/console', '/v2/openapi.yaml'])
      expect([path, (await request(`GET /shop/api${path}`)).status]).toEqual([path, 200]);
    for (const path of ['/shop/v1/pets', '/shop/apiv1/pets', '/shop/api/shop/api/v1/pets'])
      expect([path, (await request(`GET ${path}`, { headers })).status]).toEqual([path, 404]);
  });

  it('is in Location and Link', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const placed = await request('POST /v2/store/orders', { headers, body: '{"petId":1,"quantity":1}' });
    expect(placed.headers.location).toBe('/shop/api/v2/store/orders/41');
    const page = await request('GET /v2/pets?limit=1', { headers });
    expect(page.headers.link).toMatch(/^<\/shop\/api\/v2\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/);
    const pet = await request('GET /v1/pets/1', { headers });
    expect(pet.headers.link).toMatch(
      /^<\/shop\/api\/docs\/v1#getPet>; .*<\/shop\/api\/v2\/pets\/1>; rel="succ/,
    );
    const moved = await fetch(`${service().origin}/docs/migration`, { redirect: 'manual' });
    expect(moved.headers.get('location')).toBe('/shop/api/guides/migration');
  });

  it('is in the documents, including their links', async () => {
    const { request } = service();
    for (const version of ['v1', 'v2']) {
      const { text } = await request(`GET /${version}/openapi.json`);
      const { servers: shown, externalDocs } = JSON.parse(text);
      expect(shown[0].url).toBe(`${PUBLIC}/${version}`);
      expect(externalDocs.url).toBe(`${PUBLIC}/docs`);
      expect(text).not.toMatch(/\]\(\/(?!shop)|"example": "<?\/(?!shop)/);
    }
    const { servers: listed } = JSON.parse((await request('GET /v2/asyncapi.json')).text);
    expect(listed.production).toMatchObject({ host: 'pets.example', pathname: '/shop/api/v2' });
    const { text } = await request('GET /llms.txt');
    expect(text).toContain(`- production: ${PUBLIC}/v1\n`);
    expect(text).toContain("-H 'Origin: http://pets.example'");
  });

  it('is in pages, whose inline styles and scripts stay allowed', async () => {
    const { request } = service();
    for (const path of ['/', '/docs/v1', '/guides/errors', '/console', '/console/orders/7']) {
      const { text, headers } = await request(`GET ${path}`);
      expect(text).toContain('<html data-base-path="/shop/api"');
      expect(text.match(/ (href|src)="\/(?!shop\/api\/)[^"]*|url\(\/(?!shop)/g), path).toBe(null);
      for (const [, style = ''] of text.matchAll(/<(?:style|script)>(.*?)<\/(?:style|script)>/gs))
        expect(headers['content-security-policy']).toContain(
          `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
        );
      const [, script = ''] = / src="(\/shop\/api\/console\/assets\/[^"]+)/.exec(text) ?? [];
      if (script) expect((await request(`GET ${script}`)).headers['content-type']).toContain('javascript');
    }
  });

  it('is in the session’s deployment address; its cookies are for the entire host', async () => {
    const { request } = service();
    const browser = openBrowser({ request, origin: 'http://pets.example' });
    const account = { email: 'path@example.com', password: PASSWORD };
    await browser.send('POST /sign-up', account);
    const { headers } = await browser.send('POST /sign-in', account);
    expect(headers['set-cookie']?.[0]).toContain('; Path=/;');
    const session = JSON.parse((await browser.send('GET /session')).text);
    expect(session.deployments[0]).toMatchObject({ origin: PUBLIC, apiBase: `${PUBLIC}/v1` });
  });

  it('is understood by the client', async () => {
    const { openStore, port } = service();
    const { key } = await openStore();
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}/shop/api/v1`, key });
    expect(await client.v1.listOrders()).toHaveLength(40);
  });
});

describe('a public URL', () => {
  it.each([
    ['https://pets.example/api/v1', 'https://pets.example/api'],
    ['https://pets.example/a/b-c/v1/', 'https://pets.example/a/b-c'],
    ['https://pets.example/api/', 'https://pets.example/api'],
  ])('may have a path: %s', (given, address) => {
    expect(serveConfigFrom({ 'base-url': given }).publicAddresses).toEqual({ production: address });
  });

  it.each([
    '/v1/v1',
    '/v2',
    '/docs/v1',
    '/console/v1',
    '/a b/v1',
    '/a%22/v1',
    '//v1',
    '/api/v1?a=b',
    '/api/v1#a',
  ])('has a plain path that the service does not use: %s', (path) => {
    expect(() => serveConfigFrom({ 'base-url': `https://pets.example${path}` })).toThrow(
      'invalid --base-url',
    );
  });
});
