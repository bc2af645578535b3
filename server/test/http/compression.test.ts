import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { insertOrders } from '../support/orders.ts';
import { type TestStore, useService } from '../support/service.ts';

const plain = (bytes: Buffer, encoding: string | undefined) => {
  if (encoding === 'gzip') return gunzipSync(bytes).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return bytes.toString();
};

/** What a client sends, and the encodings it can read. */
const negotiations: ReadonlyArray<[header: string, readable: Array<string | undefined>]> = [
  ['gzip', ['gzip']],
  ['br', ['br']],
  ['gzip, deflate, br', ['br', 'gzip']],
  ['GZIP', ['gzip']],
  ['gzip;q=0.5, br;q=0.1', ['gzip']],
  ['br;q=0, gzip', ['gzip']],
  ['*', ['br', 'gzip']],
  ['*;q=0', [undefined]],
  ['gzip;q=0', [undefined]],
  ['gzip;q=0.000, br;q=0', [undefined]],
  ['identity', [undefined]],
  ['deflate', [undefined]],
  ['', [undefined]],
  [';;,,=', [undefined]],
];

describe.each(anyEngine)('compression on $name', (engine) => {
  const service = useService(engine);
  let large: TestStore;

  beforeAll(async () => {
    large = await service().openStore();
    const ids = Array.from({ length: 4_000 }, (_, i) => BigInt(i + 100));
    await insertOrders(service().database, large, ids);
  });

  it.each(negotiations)('a list to a client that accepts "%s"', async (header, readable) => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const full = await request('GET /v1/store/orders', { key });
    expect(full.headers['content-encoding']).toBeUndefined();
    const response = await request('GET /v1/store/orders', { key, headers: { 'accept-encoding': header } });
    const encoding = response.headers['content-encoding'];
    expect(readable).toContain(encoding);
    expect(plain(response.bytes, encoding)).toBe(full.text);
    expect(response.headers.vary).toMatch(/accept-encoding/i);
    expect(full.headers.vary).toBe(response.headers.vary);
    expect(response.headers.etag).toBe(full.headers.etag);
    if (encoding) expect(response.bytes.length).toBeLessThan(full.bytes.length / 2);
  });

  it('is negotiated by the first kilobyte of the header', async () => {
    for (const [names, encoding] of [
      [100, 'gzip'],
      [3_000, undefined],
    ] as const) {
      const headers = { 'accept-encoding': `${'deflate,'.repeat(names)}gzip` };
      const response = await service().request('GET /v1/store/orders', { key: large.key, headers });
      expect(response.headers['content-encoding']).toBe(encoding);
    }
  });

  it.each(negotiations)('a list of 400 kilobytes to a client that accepts "%s"', async (header, readable) => {
    const { request } = service();
    const full = await request('GET /v1/store/orders', { key: large.key });
    const headers = { 'accept-encoding': header };
    const response = await request('GET /v1/store/orders', { key: large.key, headers });
    const encoding = response.headers['content-encoding'];
    // A large list may be sent uncompressed, and otherwise only in an encoding that the client accepts.
    expect([...readable, undefined]).toContain(encoding);
    if (/gzip$|\*$/.test(header)) expect(encoding).toBeDefined();
    expect(plain(response.bytes, encoding)).toBe(full.text);
  });

  it('a small response is sent uncompressed', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const headers = { 'accept-encoding': 'gzip, br' };
    for (const path of ['/v1/pets/1', '/v1/pets', '/v1/nothing']) {
      expect((await request(`GET ${path}`, { key, headers })).headers['content-encoding']).toBeUndefined();
    }
  });

  it('a compressed list is as fresh as any other', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const zipped = { key, headers: { 'accept-encoding': 'br' } };
    for (const id of [2, 4, 6, 8]) {
      const before = await request('GET /v1/store/orders', zipped);
      expect(plain(before.bytes, 'br')).toContain(`{"id":${id},`);
      await request(`DELETE /v1/store/orders/${id}`, { key });
      const after = await request('GET /v1/store/orders', zipped);
      expect(plain(after.bytes, 'br')).not.toContain(`{"id":${id},`);
    }
  });
});
