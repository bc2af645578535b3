import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/domain/key-format.ts';
import { anyEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describe.each(anyEngine)('X-Request-Id on $name', (engine) => {
  const service = useService(engine);

  it('is echoed if it is short and plain', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    for (const id of [
      'a',
      '3f1c8d4e-5b0a-4a57-9a55-0a8f6c1f0b3d',
      'Root=1-67891233',
      'x'.repeat(64),
      '3f1c8d4e5b0a4a579a550a8f6c1f0b3d',
      '4BF92F3577B34DA6A3CE929D0E0E4736',
      'a.b:c',
    ]) {
      for (const sent of [{ key }, {}]) {
        const { headers } = await request('GET /v1/pets', { ...sent, headers: { 'x-request-id': id } });
        expect(headers['x-request-id']).toBe(id);
      }
    }
  });

  it('is a new UUID for each request without one', async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const { headers } = await service().request('GET /healthz');
      expect(headers['x-request-id']).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
      );
      ids.add(String(headers['x-request-id']));
    }
    expect(ids.size).toBe(300);
  });

  it('is replaced if it is malformed or a key', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const unfit = [
      '',
      ' ',
      'a b',
      'x'.repeat(65),
      'a\tb',
      '<script>',
      'é',
      '"',
      "a';--",
      'a,b',
      '{}',
      '$(id)',
    ];
    const secret = key.slice('pst_live_'.length);
    const parts = [secret, secret.slice(0, 32), `id=${secret}`, `pst-live-${secret}`];
    for (const id of [...unfit, key, generateKey('staging'), `x${key}`, ...parts]) {
      const { headers } = await request('GET /v1/pets', { key, headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
  });

  it('is not logged if it is a key without its prefix', async () => {
    const { request, openStore, log } = service();
    const secret = (await openStore()).key.slice('pst_live_'.length);
    await request('GET /v1/pets', { headers: { 'x-request-id': secret } });
    expect(log.join('')).not.toContain(secret);
  });

  it('differs from request to request', async () => {
    const { request } = service();
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await request('GET /v1/pets')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(50);
  });

  it('is on every response, also outside the base address', async () => {
    const { request } = service();
    const headers = { 'x-request-id': 'mine' };
    for (const path of [
      '/',
      '/nothing',
      '/healthz',
      '/readyz',
      '/metrics',
      '/v1/openapi.json',
      '/v1/openapi.yaml',
      '/docs/',
    ]) {
      expect([path, (await request(`GET ${path}`, { headers })).headers['x-request-id']]).toEqual([
        path,
        'mine',
      ]);
    }
  });
});
