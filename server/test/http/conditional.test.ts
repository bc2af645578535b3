import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const reads = ['/v1/store/orders', '/v1/pets', '/v1/pets/1'];

describe.each(anyEngine)('conditional requests on $name', (engine) => {
  const service = useService(engine);

  it.each(reads)('304: %s, while nothing changed in the store', async (path) => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const first = await request(`GET ${path}`, { key });
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    for (const sent of [etag, etag.slice(2), '*', `"other", ${etag}`, `${etag},W/"x"`, `  ${etag}  `]) {
      for (const method of ['GET', 'HEAD']) {
        const again = await request(`${method} ${path}`, { key, headers: { 'if-none-match': sent } });
        expect([sent, again.status, again.text]).toEqual([sent, 304, '']);
        expect(again.headers).toMatchObject({ etag, 'cache-control': 'private, no-cache' });
        expect(again.headers.vary).toBe(first.headers.vary);
      }
    }
  });

  it.each(reads)('200: %s, for any other tag', async (path) => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const etag = String((await request(`GET ${path}`, { key })).headers.etag);
    for (const sent of [
      '',
      '"',
      '""',
      'W/""',
      etag.slice(0, -1),
      etag.replace('W/', 'w/'),
      `x${etag}`,
      '"*"',
      // Of a longer list, only the first tags are compared.
      `${'"x",'.repeat(1_500)}${etag}`,
    ]) {
      const response = await request(`GET ${path}`, { key, headers: { 'if-none-match': sent } });
      expect([sent, response.status]).toEqual([sent, 200]);
    }
  });

  it.each(reads)('200: %s, with another tag after a change', async (path) => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const etag = String((await request(`GET ${path}`, { key })).headers.etag);
    await request('DELETE /v1/store/orders/2', { key });
    const response = await request(`GET ${path}`, { key, headers: { 'if-none-match': etag } });
    expect(response.status).toBe(200);
    expect(response.headers.etag).not.toBe(etag);
  });

  it('200: a tag of another store never matches', async () => {
    const { request, openStore } = service();
    const [one, other] = [await openStore(), await openStore()];
    for (const path of reads) {
      const etag = String((await request(`GET ${path}`, { key: one.key })).headers.etag);
      const response = await request(`GET ${path}`, { key: other.key, headers: { 'if-none-match': etag } });
      expect(response.status).toBe(200);
    }
  });

  it('a rejected cancel changes no tag', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const etag = (await request('GET /v1/store/orders', { key })).headers.etag;
    await request('DELETE /v1/store/orders/1', { key });
    await request('DELETE /v1/store/orders/41', { key });
    expect((await request('GET /v1/store/orders', { key })).headers.etag).toBe(etag);
  });

  it('a condition on a cancel is ignored', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const headers = {
      'if-none-match': '*',
      'if-match': '"x"',
      'if-modified-since': new Date().toUTCString(),
    };
    expect((await request('DELETE /v1/store/orders/2', { key, headers })).status).toBe(204);
  });

  it('404 and 401 come before 304', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const headers = { 'if-none-match': '*' };
    expect((await request('GET /v1/pets/13', { key, headers })).status).toBe(404);
    expect((await request('GET /v1/pets', { headers })).status).toBe(401);
  });
});
