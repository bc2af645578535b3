import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectNoHeader, expectStatus, headerOf, jsonOf } from '../../expect.ts';
import { missingId } from '../../orders.ts';
import { type Fields, objectOf, pageOf } from '../../v2.ts';
import { expectErrorNaming } from './pages.ts';
import { sectionOf } from './section.ts';

export function petChecks(suite: Suite, { v2, client, pets }: Context): void {
  const { check } = sectionOf(suite, v2, 'pets', 'pets');
  const all = async () => (await v2.walk('/pets?limit=1000')).items;
  const ownPet = once(() => v2.newPet(7));
  const patch = async (body: string, id?: bigint, type = 'application/json') =>
    v2.send('PATCH', `/pets/${id ?? (await ownPet())}`, body, { 'Content-Type': type });

  check('list', 'a Pet has `stock` in addition to v1’s fields, and is `sold` when that is 0', async () => {
    const listed = await all();
    for (const pet of listed) {
      const isValid = typeof pet.stock === 'bigint' && pet.stock >= 0n;
      ensure(isValid, 'a stock of 0 or more', pet);
      equal(pet.status, pet.stock === 0n ? 'sold' : 'available', 'the status', `pet ${pet.id}`);
    }
    const inV1 = listed.map(({ id, name, category, status }) => ({ id, name, category, status }));
    equal(inV1, await pets(), 'the pets of v1');
  });
  check('pages', 'pages of any `limit` from 1 to 1000 add up to the list', async () => {
    const listed = await all();
    for (const limit of [5, 7]) equal((await v2.walk(`/pets?limit=${limit}`)).items, listed, 'the pets');
    for (const limit of ['0', '1001', 'x']) {
      expectErrorNaming(await v2.get(`/pets?limit=${limit}`), 'invalid_parameter', 'limit');
    }
    expectError(await v2.get('/pets?cursor=abc'), 400, 'invalid_cursor');
    const { nextCursor } = pageOf(await v2.get('/pets?limit=2'));
    expectError(await v2.get(`/pets?limit=2&category=dog&cursor=${nextCursor}`), 400, 'invalid_cursor');
  });
  check('default-limit', '`limit` defaults to 50 for pets as well', async () => {
    for (let total = (await all()).length; total < 51; total += 1) await v2.newPet(0);
    const plain = await v2.get('/pets');
    equal(pageOf(plain).data.length, 50, 'the number of pets:', plain.request);
    equal(pageOf(plain), pageOf(await v2.get('/pets?limit=50')), 'the page', plain.request);
  });
  check('filters', '`category` and `status` return only matching pets', async () => {
    await ownPet();
    const listed = await all();
    const expectFound = async (query: string, test: (pet: Fields) => boolean) =>
      equal((await v2.walk(`/pets?${query}&limit=1000`)).items, listed.filter(test), 'the pets', query);
    await expectFound('category=acceptance', ({ category }) => category === 'acceptance');
    await expectFound('category=dog', ({ category }) => category === 'dog');
    await expectFound('status=sold', ({ status }) => status === 'sold');
    await expectFound(
      'category=dog&status=available',
      (pet) => pet.category === 'dog' && pet.status === 'available',
    );
    expectErrorNaming(await v2.get('/pets?status=gone'), 'invalid_parameter', 'status');
    expectErrorNaming(await v2.get('/pets?colour=red'), 'invalid_parameter', 'colour');
  });
  check('get', '`GET /pets/{petId}` returns each pet as the list does, and is not deprecated', async () => {
    for (const pet of (await all()).slice(0, 12)) {
      const response = await v2.get(`/pets/${pet.id}`);
      equal(objectOf(response), pet, 'the pet', response.request);
      expectNoHeader(response, 'Deprecation');
    }
  });
  check(
    'missing',
    'a missing pet or invalid ID is 404 `not_found`; an invalid body comes first',
    async () => {
      for (const id of [String(missingId), 'abc', '1.0', '+1', '01', '9223372036854775808']) {
        expectError(await v2.get(`/pets/${id}`), 404, 'not_found');
        expectError(await v2.send('PATCH', `/pets/${id}`, '{"stock":1}'), 404, 'not_found');
      }
      const ofMissing = `/pets/${missingId}`;
      expectError(await v2.send('PATCH', ofMissing, '{"stock":-1}'), 400, 'invalid_body');
      const xml = { 'Content-Type': 'application/xml' };
      expectError(await v2.send('PATCH', ofMissing, '{"stock":1}', xml), 415, 'unsupported_media_type');
    },
  );
  check('create', '`POST /pets` is 201 with the pet and its `Location`, and v1 returns it', async () => {
    const response = await v2.send('POST', '/pets', '{"name":"Ada","category":"acceptance","stock":7}');
    const { stock, ...inV1 } = objectOf(response, 201);
    const { id } = inV1;
    v2.onCleanUp(() => v2.send('PATCH', `/pets/${id}`, '{"stock":0}'));
    const expected = { id, name: 'Ada', category: 'acceptance', status: 'available' };
    equal({ ...inV1, stock }, { ...expected, stock: 7n }, 'the pet', response.request);
    const { pathname } = new URL(headerOf(response, 'Location'), client.base);
    equal(pathname, `${client.v2}/pets/${id}`, 'Location', response.request);
    equal(objectOf(await v2.get(`/pets/${id}`)), { ...expected, stock: 7n }, 'the pet');
    equal(jsonOf(await client.send({ path: `/pets/${id}` })), inV1, 'the pet in v1');
  });
  check('create-invalid', 'an invalid pet is 400 `invalid_body`, and is not created', async () => {
    const count = (await all()).length;
    const bodies = [
      '{}',
      '{"name":"A","category":"a"',
      '{"name":"","category":"a","stock":1}',
      '{"name":"A","category":"a","stock":-1}',
      '{"name":"A","category":"a","stock":1.5}',
      '{"name":"A","category":"a","stock":"1"}',
      '{"name":"A","category":"a","stock":1,"colour":"red"}',
      `{"name":"${'A'.repeat(101)}","category":"a","stock":1}`,
      '{"name":7,"category":"a","stock":1}',
    ];
    for (const body of bodies) expectError(await v2.send('POST', '/pets', body), 400, 'invalid_body');
    equal((await all()).length, count, 'the number of pets:');
  });
  check(
    'patch',
    '`PATCH` changes the given fields only; also as `application/merge-patch+json`',
    async () => {
      const id = await ownPet();
      const before = objectOf(await v2.get(`/pets/${id}`));
      const response = await patch('{"name":"Changed"}');
      equal(objectOf(response), { ...before, name: 'Changed' }, 'the pet', response.request);
      const stocked = await patch('{"stock":9}', id, 'application/merge-patch+json');
      equal(objectOf(stocked), { ...before, name: 'Changed', stock: 9n }, 'the pet', stocked.request);
      equal(objectOf(await v2.get(`/pets/${id}`)), objectOf(stocked), 'the pet');
      expectStatus(await patch('{"stock":0}'), 200);
      equal(objectOf(await v2.get(`/pets/${id}`)).status, 'sold', 'the status of a pet without stock');
    },
  );
  check('patch-invalid', 'an invalid change is 400 `invalid_body`, and changes nothing', async () => {
    const id = await ownPet();
    const before = objectOf(await v2.get(`/pets/${id}`));
    for (const body of [
      '{"stock":-1}',
      '{"status":"sold"}',
      '{"name":null}',
      '{"id":5}',
      '{',
      '[]',
      '{"stock":"3"}',
    ]) {
      expectError(await patch(body), 400, 'invalid_body');
    }
    equal(objectOf(await v2.get(`/pets/${id}`)), before, 'the pet');
  });
}
