import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { malformedIds } from '../support/hostile.ts';
import { useService } from '../support/service.ts';
import { allPets, clientOf, etagOf, openClient, type Page, type Pet, walk } from '../support/v2.ts';

describe.each(engines)('the pets of v2 on $name', (engine) => {
  const service = useService(engine);

  it('createPet 201: the pet with its Location; without stock it starts with none', async () => {
    const { client } = await openClient(service());
    const luna = await client('POST /v2/pets', { body: { name: 'Luna', category: 'cat', stock: 3 } });
    expect([luna.status, luna.headers.location, luna.text]).toEqual([
      201,
      '/v2/pets/13',
      '{"id":13,"name":"Luna","category":"cat","status":"available","stock":3}',
    ]);
    expect((await client('GET /v2/pets/13')).text).toBe(luna.text);
    const none = await client('POST /v2/pets', { body: { name: '🦜 "Zoë"\\', category: 'p/a?r&r=ot' } });
    expect(none.json()).toEqual({
      id: 14n,
      name: '🦜 "Zoë"\\',
      category: 'p/a?r&r=ot',
      status: 'sold',
      stock: 0n,
    });
    expect(await walk(client, '/v2/pets', { category: 'p/a?r&r=ot' })).toEqual([none.json()]);
    expect((await client('GET /v1/pets/14')).json()).toEqual({
      id: 14n,
      name: '🦜 "Zoë"\\',
      category: 'p/a?r&r=ot',
      status: 'sold',
    });
  });

  it('changePet 200: changes only the given fields', async () => {
    const { client } = await openClient(service());
    const patch = async (body: object) => (await client('PATCH /v2/pets/1', { body })).json();
    expect(await patch({ stock: 0 })).toEqual({
      id: 1n,
      name: 'Rex',
      category: 'dog',
      status: 'sold',
      stock: 0n,
    });
    expect(await patch({ name: 'Max' })).toMatchObject({ name: 'Max', category: 'dog', stock: 0n });
    expect(await patch({ category: 'hound', stock: 1_000_000_000 })).toEqual({
      id: 1n,
      name: 'Max',
      category: 'hound',
      status: 'available',
      stock: 1_000_000_000n,
    });
    const merged = await client('PATCH /v2/pets/1', {
      body: '{"stock":7}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(merged.json()).toMatchObject({ name: 'Max', stock: 7n });
    expect((await client('GET /v1/pets')).json<Pet[]>()[0]).toMatchObject({
      name: 'Max',
      status: 'available',
    });
  });

  it('a pet at maximum stock accepts units of cancelled orders', async () => {
    const { client } = await openClient(service());
    await client('POST /v2/store/orders', { body: { petId: 1, quantity: 10 } });
    await client('PATCH /v2/pets/1', { body: { stock: 1_000_000_000 } });
    expect((await client('DELETE /v2/store/orders/41')).status).toBe(204);
    expect((await client('GET /v2/pets/1')).json()).toMatchObject({ stock: 1_000_000_010n });
  });

  it('getPet and changePet 404: a missing pet, another store’s, an invalid ID', async () => {
    const { client } = await openClient(service());
    const other = await openClient(service());
    await other.client('POST /v2/pets', { body: { name: 'Luna', category: 'cat' } });
    for (const id of ['13', '0', '-1', '9223372036854775807', ...malformedIds]) {
      expect([id, (await client(`GET /v2/pets/${id}`)).status]).toEqual([id, 404]);
      const patch = await client(`PATCH /v2/pets/${id}`, { body: { stock: 1 } });
      expect([id, patch.status]).toEqual([id, 404]);
    }
  });

  it('401: without a key', async () => {
    const client = clientOf(service(), { key: 'nobody' });
    for (const request of ['GET /v2/pets', 'POST /v2/pets', 'GET /v2/pets/1', 'PATCH /v2/pets/1']) {
      expect([request, (await client(request)).status]).toEqual([request, 401]);
    }
  });

  it('listPets 200: every combination of filters, with any page size', async () => {
    const { client } = await openClient(service());
    await client('POST /v2/pets', { body: { name: 'Luna', category: 'undefined', stock: 2 } });
    await client('PATCH /v2/pets/3', { body: { stock: 0 } });
    const all = await allPets(client);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, i) => BigInt(i + 1)));
    for (const category of [undefined, 'dog', 'cat', 'Dog', 'undefined', 'none']) {
      for (const status of [undefined, 'available', 'sold']) {
        const query = { ...(category && { category }), ...(status && { status }) };
        const expected = all.filter(
          (pet) => (!category || pet.category === category) && (!status || pet.status === status),
        );
        for (const limit of ['1', '2', '5', '1000']) {
          expect(await walk(client, '/v2/pets', { ...query, limit })).toEqual(expected);
        }
      }
    }
  });

  it('listPets 400: names the invalid parameter', async () => {
    const { client } = await openClient(service());
    const wrong = {
      status: ['', 'Sold', 'available,sold', 'available%20'],
      category: ['', 'x'.repeat(51), '%00'],
      limit: ['', '0', '1001', '-1', '1.0', '01', '1e2', 'ten', '%31%30%00'],
      petId: ['1'],
      sort: ['id'],
      Status: ['sold'],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const response = await client(`GET /v2/pets?${name}=${value}`);
        expect([name, value, response.status, response.error().code]).toEqual([
          name,
          value,
          400,
          'invalid_parameter',
        ]);
        expect(response.error().message).toContain(`'${name}'`);
      }
    }
  });

  it('a cursor works only for pets and its original filters', async () => {
    const { client } = await openClient(service());
    const cursorOf = async (target: string) =>
      (await client(`GET ${target}`)).json<Page<Pet>>().nextCursor as string;
    const plain = await cursorOf('/v2/pets?limit=2');
    const orders = await cursorOf('/v2/store/orders?limit=2');
    for (const target of [
      `/v2/pets?cursor=${orders}`,
      `/v2/store/orders?cursor=${plain}`,
      `/v2/pets?category=dog&cursor=${plain}`,
      `/v2/pets?category=undefined&cursor=${plain}`,
      `/v2/pets?status=sold&cursor=${plain}`,
      `/v2/pets?cursor=${await cursorOf('/v2/pets?category=dog&limit=1')}`,
      `/v2/pets?cursor=${await cursorOf('/v2/pets?status=available&limit=1')}`,
    ]) {
      const response = await client(`GET ${target}`);
      expect([target, response.status, response.error().code]).toEqual([target, 400, 'invalid_cursor']);
    }
    expect((await client(`GET /v2/pets?cursor=${plain}&limit=7`)).status).toBe(200);
  });

  it('304: while the store is unchanged', async () => {
    const { client } = await openClient(service());
    const again = { headers: { 'if-none-match': await etagOf(client) } };
    for (const path of ['/v2/pets', '/v2/pets?limit=3', '/v2/pets/4']) {
      expect((await client(`GET ${path}`, again)).status).toBe(304);
    }
    await client('DELETE /v2/store/orders/2');
    expect((await client('GET /v2/pets/4', again)).status).toBe(200);
  });
});
