import { describe, expect, it } from 'vitest';
import { codeOf, fastAccounts, firstKey, listKeys, signUpAndIn } from '../accounts/browser.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { essence, sendRaw } from '../support/http.ts';
import { type TestStore, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

/** The OWASP API Security Top 10 of 2023, each with its attack: what is requested, and how much of it. */
describe.each(engines)('OWASP API Security Top 10 on $name', (engine) => {
  const service = useService(engine, { accounts: fastAccounts });

  const send = (request: string, store: Pick<TestStore, 'key'>, body?: object | string) =>
    clientOf(service(), store)(request, body === undefined ? {} : { body });

  const everything = async (store: TestStore) => [
    (await send('GET /v2/store/orders?limit=1000', store)).text,
    (await send('GET /v2/pets?limit=1000', store)).text,
  ];

  describe('API1: broken object level authorization', () => {
    it('a resource of another store gets the same bytes as a missing one, and stays unchanged', async () => {
      const [owner, thief] = [await service().openStore(), await service().openStore()];
      const pet = (await send('POST /v2/pets', owner, { name: 'Mine', category: 'cat', stock: 5 })).json<{
        id: bigint;
      }>();
      const order = (
        await send('POST /v2/store/orders', owner, { petId: Number(pet.id), quantity: 1 })
      ).json<{ id: bigint }>();
      const before = await everything(owner);
      const attacks: Array<readonly [string, (id: bigint) => string, bigint, object?]> = [
        ['DELETE', (id) => `/v1/store/orders/${id}`, order.id],
        ['GET', (id) => `/v1/pets/${id}`, pet.id],
        ['GET', (id) => `/v2/store/orders/${id}`, order.id],
        ['DELETE', (id) => `/v2/store/orders/${id}`, order.id],
        ['POST', (id) => `/v2/store/orders/${id}/ship`, order.id],
        ['POST', (id) => `/v2/store/orders/${id}/deliver`, order.id],
        ['GET', (id) => `/v2/store/orders/${id}/history`, order.id],
        ['GET', (id) => `/v2/pets/${id}`, pet.id],
        ['PATCH', (id) => `/v2/pets/${id}`, pet.id, { stock: 0 }],
      ];
      for (const [method, path, id, body] of attacks) {
        const there = await send(`${method} ${path(id)}`, thief, body);
        const nowhere = await send(`${method} ${path(999_999n)}`, thief, body);
        expect(there.status).toBe(404);
        const [one, other] = [there, nowhere].map((response) => ({
          ...essence(response),
          headers: { ...response.headers, link: '', 'x-request-id': '', date: '' },
        }));
        expect(one).toEqual(other);
      }
      expect(codeOf(await send('POST /v2/store/orders', thief, { petId: Number(pet.id), quantity: 1 }))).toBe(
        '422 unknown_pet',
      );
      expect(await everything(owner)).toEqual(before);
    });

    it('a cursor of another store opens no page', async () => {
      const [owner, thief] = [await service().openStore(), await service().openStore()];
      await send('POST /v2/pets', owner, { name: 'only-the-owner-s', category: 'aardvark' });
      const { nextCursor } = (await send('GET /v2/pets?limit=12', owner)).json<{ nextCursor: string }>();
      const stolen = await send(`GET /v2/pets?limit=12&cursor=${nextCursor}`, thief);
      expect(stolen.text).not.toContain('only-the-owner-s');
    });
  });

  // The following does not depend on the database.
  if (!anyEngine.includes(engine)) return;

  describe('API3: broken object property level authorization', () => {
    it.each([
      'id',
      'status',
      'placedAt',
      'updatedAt',
      'complete',
      'revision',
      'storeId',
      'store_id',
      '__proto__',
      'constructor',
    ])('a body that also sets %s is rejected entirely', async (field) => {
      const store = await service().openStore();
      const before = await everything(store);
      const bodies = [
        ['POST /v2/store/orders', '{"petId":1,"quantity":1'],
        ['POST /v2/pets', '{"name":"x","category":"y"'],
        ['PATCH /v2/pets/1', '{"stock":3'],
      ] as const;
      for (const [request, open] of bodies) {
        const response = await send(request, store, `${open},"${field}":1}`);
        expect(codeOf(response)).toBe('400 invalid_body');
      }
      expect(await everything(store)).toEqual(before);
    });

    it('a response contains only documented fields', async () => {
      const member = await signUpAndIn(service());
      const { key } = await firstKey(member);
      const [order] = (await send('GET /v1/store/orders', { key })).json<object[]>();
      expect(Object.keys(order ?? {})).toEqual(['id', 'petId', 'quantity', 'shipDate', 'complete']);
      const [pet] = (await send('GET /v1/pets', { key })).json<object[]>();
      expect(Object.keys(pet ?? {})).toEqual(['id', 'name', 'category', 'status']);
      for (const shown of await listKeys(member)) {
        expect(JSON.stringify(shown)).not.toContain(key);
        expect(Object.keys(shown)).not.toContain('hash');
      }
    });
  });

  describe('API4: unrestricted resource consumption', () => {
    it.each([
      ['a body beyond 64 KB', 'POST /v2/pets', `{"name":"${'a'.repeat(66_000)}","category":"x"}`, 413],
      [
        'a body that is nested without end',
        'POST /v2/pets',
        `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
        400,
      ],
      ['a body of colons', 'POST /v2/pets', ':'.repeat(65_000), 400],
      ['a page beyond 1,000', 'GET /v2/store/orders?limit=1001', undefined, 400],
      ['a page of all', 'GET /v2/pets?limit=9223372036854775807', undefined, 400],
      ['a page of less than nothing', 'GET /v2/pets?limit=-1', undefined, 400],
      ['a target beyond 8 KB', `GET /v1/pets?${'x'.repeat(9000)}`, undefined, 414],
      ['an order beyond 1,000 units', 'POST /v2/store/orders', '{"petId":1,"quantity":1001}', 400],
    ])('%s is rejected', async (_, request, body, status) => {
      const { key } = await service().openStore();
      const response = await send(request, { key }, body);
      expect(response.status).toBe(status);
    });

    it('headers beyond 32 KB are rejected', async () => {
      const response = await sendRaw(
        service().port,
        `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${'X-Many: yyyyyyyy\r\n'.repeat(4000)}\r\n`,
      );
      expect(response.status).toBe(431);
    });
  });

  describe('API9: improper inventory management', () => {
    it.each([
      '/v1/admin',
      '/v1/users',
      '/v1/store/inventory',
      '/v1/pets/1/photos',
      '/v2/admin',
      '/v2/keys',
      '/v2/store',
      '/v2/debug',
      '/v1/openapi',
      '/v1/swagger.json',
    ])('%s is not found, with any credentials', async (path) => {
      const { key } = await service().openStore();
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        expect(codeOf(await send(`${method} ${path}`, { key }))).toBe('404 not_found');
    });

    it.each([
      '/v0/pets',
      '/v3/pets',
      '/api/v1/pets',
      '/graphql',
      '/.env',
      '/.git/config',
      '/actuator/health',
      '/debug/pprof',
      '/server-status',
      '/swagger-ui',
    ])('%s is not found either', async (path) => {
      expect(codeOf(await service().request(`GET ${path}`))).toBe('404 not_found');
    });

    it('deprecated operations are marked in responses and in the document', async () => {
      const store = await service().openStore();
      const { headers } = await send('GET /v1/pets/1', store);
      expect(headers.deprecation).toMatch(/^@\d+$/);
      expect(headers.sunset).toBeDefined();
      const document = (await service().request('GET /v1/openapi.json')).json<{
        paths: Record<string, { get: { deprecated?: boolean } }>;
      }>();
      expect(document.paths['/pets/{petId}']?.get.deprecated).toBe(true);
    });
  });
});
