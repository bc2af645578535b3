import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite, temporaryFolder } from '../support/engines.ts';
import { startService, type TestService } from '../support/service.ts';

const SCRIPT = 'console.log("the console");'.repeat(20);

describe('the pages', () => {
  const folder = temporaryFolder();
  let service: TestService;

  beforeAll(async () => {
    mkdirSync(join(folder.path, 'assets'));
    writeFileSync(join(folder.path, 'index.html'), '<!doctype html><title>Console</title>');
    writeFileSync(join(folder.path, 'landing.html'), '<!doctype html><title>Pet Store</title>');
    writeFileSync(join(folder.path, 'not-found.html'), '<!doctype html><title>Not here</title>');
    mkdirSync(join(folder.path, 'docs/v2'), { recursive: true });
    for (const name of ['v1', 'v2', 'v2/orders'])
      writeFileSync(join(folder.path, `docs/${name}.html`), '<!doctype html><title>Reference</title>');
    writeFileSync(join(folder.path, 'icon.svg'), '<svg/>');
    writeFileSync(join(folder.path, 'assets/app-x1.js'), SCRIPT);
    writeFileSync(join(folder.path, 'assets/app-x1.js.br'), brotliCompressSync(SCRIPT));
    writeFileSync(join(folder.path, 'assets/app-x1.js.gz'), gzipSync(SCRIPT));
    service = await startService(sqlite, {
      consoleFolder: folder.path,
      servers: () => [
        { name: 'production', origin: 'http://127.0.0.1' },
        { name: 'staging', origin: 'http://127.0.0.1:8081' },
      ],
    });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it.each([
    ['/', 'Pet Store'],
    ['/console', 'Console'],
    ['/console/', 'Console'],
    ['/console/orders?status=pending', 'Console'],
    ['/console/orders/9223372036854775807', 'Console'],
  ])('at %s are served by us', async (path, title) => {
    const response = await service.request(`GET ${path}`);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-cache');
    expect(response.text).toContain(`<title>${title}</title>`);
  });

  it.each(['/docs', '/docs/', '/docs/v2', '/docs/v2/', '/docs/v2/orders'])(
    'at %s are the reference',
    async (path) => {
      expect((await fetch(service.origin + path)).status).toBe(200);
    },
  );

  it.each([
    ['/nowhere', 'text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['/console/assets/gone.js', 'text/html', 'text/html; charset=utf-8'],
    ['/nowhere', '*/*', 'application/json'],
    ['/v1/nowhere', 'text/html', 'application/json'],
    ['/v2', 'text/html', 'application/json'],
    ['/%76%31/pets/999', 'text/html', 'application/json'],
    ['/%76%31/nowhere', 'text/html', 'application/json'],
    ['/docs/v3', 'text/html', 'text/html; charset=utf-8'],
    ['/console/api/nowhere', 'text/html', 'application/json'],
  ])('at %s, requested as %s, are not found', async (path, accept, type) => {
    const headers = {
      accept,
      'if-none-match': '*',
      authorization: `Bearer ${(await service.openStore()).key}`,
    };
    const response = await fetch(service.origin + path, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, type]);
    const text = await response.text();
    if (type === 'application/json')
      expect(JSON.parse(text)).toMatchObject({ code: 'not_found', status: 404 });
    else expect(text).toContain('<title>Not here</title>');
    expect(
      (await fetch(service.origin + path, { method: 'POST', headers })).headers.get('content-type'),
    ).toBe('application/json');
  });

  it.each(['/', '/console', '/console/assets/app-x1.js'])(
    'at %s allow no third-party content',
    async (path) => {
      const { headers } = await service.request(`GET ${path}`);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("connect-src 'self' http://127.0.0.1:8081");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy.join()).not.toMatch(/unsafe|\*/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('send compressed assets, cacheable indefinitely', async () => {
    const get = (encoding: string) =>
      service.request('GET /console/assets/app-x1.js', { headers: { 'accept-encoding': encoding } });
    const [plain, br, gzip] = [await get('identity'), await get('gzip, br'), await get('gzip')];
    expect(plain.text).toBe(SCRIPT);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.vary).toBe('Accept-Encoding');
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.bytes).toString()).toBe(SCRIPT);
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.bytes).toString()).toBe(SCRIPT);
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('are not sent twice', async () => {
    const first = await service.request('GET /console');
    const again = await service.request('GET /console', {
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  it('have an icon', async () => {
    const response = await service.request('GET /console/icon.svg');
    expect(response.headers['content-type']).toBe('image/svg+xml');
    expect(response.text).toBe('<svg/>');
  });

  it.each([
    '/console/assets/missing.js',
    '/console/assets/app-x1.js.br',
    '/console/assets/',
    '/console/api',
    '/console/api/missing',
    '/console/nope',
    '/console/orders/nope',
    '/console/index.html',
    '/console/../../etc/passwd',
    '/console/..%2f..%2fpackage.json',
    '/landing.html',
  ])('are not found at %s', async (path) => {
    expect((await service.request(`GET ${path}`)).status).toBe(404);
  });

  it('are read when first requested, and from then on served from memory', async () => {
    const afterWriting = async (text: string) => {
      writeFileSync(join(folder.path, 'docs/v2/orders.html'), text);
      return (await other.request('GET /docs/v2/orders')).text;
    };
    await using other = await startService(sqlite, { consoleFolder: folder.path });
    expect(await afterWriting('after the start')).toBe('after the start');
    expect(await afterWriting('later')).toBe('after the start');
  });

  it('explain that the console was not built', async () => {
    await using bare = await startService(sqlite, { consoleFolder: join(folder.path, 'nowhere') });
    for (const path of ['/', '/console']) {
      const response = await bare.request(`GET ${path}`);
      expect(response.status).toBe(200);
      expect(response.text).toContain('not built');
      expect(response.headers['content-security-policy']).toContain("default-src 'self'");
    }
  });
});
