import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../support/engines.ts';
import { malformedIds } from '../support/hostile.ts';
import { essence, type Response } from '../support/http.ts';
import { startService, useService } from '../support/service.ts';

interface Pet {
  id: bigint;
  name: string;
  category: string;
  status: string;
}

describe.each(engines)('listPets on $name', (engine) => {
  const service = useService(engine);

  it('200: all pets by ascending ID, each with exactly its four fields in order', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const response = await request('GET /v1/pets?category=dog', { key });
    expect(response.headers['content-type']).toBe('application/json');
    const pets = response.json<Pet[]>();
    expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, i) => BigInt(i + 1)));
    for (const pet of pets) expect(Object.keys(pet)).toEqual(['id', 'name', 'category', 'status']);
  });

  it('200: a pet without stock is sold, and available again when a cancelled order returns its units', async () => {
    const { request, openStore, database } = service();
    const { key, storeId } = await openStore();
    const status = async (id: bigint) =>
      (await request('GET /v1/pets', { key })).json<Pet[]>().find((pet) => pet.id === id)?.status;
    expect(await status(12n)).toBe('sold');
    expect(await status(11n)).toBe('available');
    await database.exec(`UPDATE stores SET revision = revision + 1 WHERE id = ${storeId};
      UPDATE pets SET stock = 0, revision = (SELECT revision FROM stores WHERE id = ${storeId})
      WHERE store_id = ${storeId} AND id = 11`);
    expect(await status(11n)).toBe('sold');
    await request('DELETE /v1/store/orders/2', { key });
    expect(await status(11n)).toBe('available');
    expect((await request('GET /v1/pets/11', { key })).json<Pet>().status).toBe('available');
  });

  it('200: encodes any name as JSON', async () => {
    const { request, openStore, database } = service();
    const { key, storeId } = await openStore();
    const name = 'Änne "the ü" \\ \t\n </script> 🐈 \u2028';
    await database.exec(`UPDATE stores SET revision = revision + 1 WHERE id = ${storeId};
      UPDATE pets SET name = '${name}', revision = (SELECT revision FROM stores WHERE id = ${storeId})
      WHERE store_id = ${storeId} AND id = 3`);
    expect((await request('GET /v1/pets', { key })).json<Pet[]>()[2]?.name).toBe(name);
    expect((await request('GET /v1/pets/3', { key })).json<Pet>().name).toBe(name);
  });
});

/** The link to the successor names the requested path. */
const withoutLink = (response: Response) => {
  const { headers, ...rest } = essence(response);
  return { ...rest, headers: { ...headers, link: undefined } };
};

const deprecation = {
  deprecation: '@1794700800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: expect.stringContaining('rel="deprecation"'),
};

describe.each(engines)('getPet on $name', (engine) => {
  const service = useService(engine);

  it('200: the same object as in the list, with the deprecation announced', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const pets = (await request('GET /v1/pets', { key })).json<Pet[]>();
    for (const pet of pets) {
      const response = await request(`GET /v1/pets/${pet.id}`, { key });
      expect([response.status, response.json()]).toEqual([200, pet]);
      expect(response.headers).toMatchObject(deprecation);
    }
  });

  it('404: a missing pet, and text that is not a plain int64, with the deprecation announced', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const missing = await request('GET /v1/pets/13', { key });
    expect(missing.status).toBe(404);
    expect(missing.headers).toMatchObject(deprecation);
    for (const id of ['0', '-1', '9223372036854775807', ...malformedIds]) {
      expect([id, withoutLink(await request(`GET /v1/pets/${id}`, { key }))]).toEqual([
        id,
        withoutLink(missing),
      ]);
    }
  });

  it("404: someone else's pet, with the same bytes as a missing one", async () => {
    const { request, openStore, database } = service();
    const { key, storeId } = await openStore();
    await database.exec(`DELETE FROM pets WHERE store_id = ${storeId} AND id = 3`);
    expect(withoutLink(await request('GET /v1/pets/3', { key }))).toEqual(
      withoutLink(await request('GET /v1/pets/13', { key })),
    );
  });

  it('304: with the deprecation announced', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    const { headers } = await request('GET /v1/pets/1', { key });
    const again = await request('GET /v1/pets/1', {
      key,
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect(again.status).toBe(304);
    expect(again.headers).toMatchObject(deprecation);
  });

  // The following does not depend on the database.
  if (!anyEngine.includes(engine)) return;

  it('401: with the deprecation announced', async () => {
    const { request } = service();
    for (const path of ['/v1/pets/1', '/v1/pets/13', '/v1/pets/abc']) {
      const response = await request(`GET ${path}`);
      expect(response.status).toBe(401);
      expect(response.headers).toMatchObject(deprecation);
    }
  });

  it('no other operation is announced as deprecated', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    for (const path of [
      'GET /v1/pets',
      'GET /v1/store/orders',
      'DELETE /v1/store/orders/2',
      'GET /v1/pets/1/toys',
    ]) {
      const { headers } = await request(path, { key });
      expect([path, headers.deprecation, headers.sunset, headers.link]).toEqual([
        path,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  it('410: from the sunset on, to the millisecond, for everyone with a key', async () => {
    let now = Date.parse('2030-12-04T23:59:59.999Z');
    await using late = await startService(engine, { now: () => now });
    const { key } = await late.openStore();
    expect((await late.request('GET /v1/pets/1', { key })).status).toBe(200);
    now += 1;
    for (const path of ['/v1/pets/1', '/v1/pets/13', '/v1/pets/abc']) {
      const response = await late.request(`GET ${path}`, { key });
      expect([response.status, response.json()]).toMatchObject([410, { code: 'gone', status: 410n }]);
      expect(response.headers).toMatchObject(deprecation);
      expect((await late.request(`HEAD ${path}`, { key })).status).toBe(410);
      expect((await late.request(`GET ${path}`)).status).toBe(401);
      expect((await late.request(`POST ${path}`, { key })).status).toBe(405);
    }
    expect((await late.request('GET /v1/pets', { key })).status).toBe(200);
    expect((await late.request('GET /v1/store/orders', { key })).status).toBe(200);
  });
});
