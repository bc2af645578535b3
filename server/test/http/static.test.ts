import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const paths = ['/docs/', '/guides/errors', '/v1/openapi.json', '/v1/openapi.yaml', '/v2/openapi.json'];

describe('a static file', () => {
  const service = useService(sqlite);

  it.each(paths)('%s is compressed as requested, and 304 for clients that have it', async (path) => {
    const { request } = service();
    const plain = await request(`GET ${path}`);
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, decompress] of Object.entries(unpack)) {
      if (plain.bytes.length < 1024) continue;
      const packed = await request(`GET ${path}`, { headers: { 'accept-encoding': encoding } });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(decompress(packed.bytes).equals(plain.bytes)).toBe(true);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
    }
    const etag = String(plain.headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await request(`${method} ${path}`, { headers: { 'if-none-match': known } });
        expect([method, known, again.status, again.headers.etag]).toEqual([method, known, 304, etag]);
      }
    }
    const head = await request(`HEAD ${path}`);
    expect([head.status, head.headers['content-length']]).toEqual([200, String(plain.bytes.length)]);
    const other = await request(`GET ${path}`, { headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.headers.etag]).toEqual([200, etag]);
  });
});
