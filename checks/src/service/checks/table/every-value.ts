import { randomUUID } from 'node:crypto';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { equal, expectError, expectSameBody, expectStatus, headerOf, jsonOf } from '../../expect.ts';
import { type Fields, objectOf, orderIn, pageOf } from '../../v2.ts';
import { expectErrorNaming } from '../v2/pages.ts';

const json = { 'Content-Type': 'application/json' };

/** Valid spellings of a date, and the time in normalized form. */
const dates: Readonly<Record<string, string>> = {
  '2031-02-03T04:05:06Z': '2031-02-03T04:05:06.000Z',
  '2031-02-03t04:05:07.7z': '2031-02-03T04:05:07.700Z',
  '2031-02-03T04:05:08.7899999Z': '2031-02-03T04:05:08.789Z',
  '2031-02-03T04:05:09-00:00': '2031-02-03T04:05:09.000Z',
  '2031-02-03T04:05:10+0000': '2031-02-03T04:05:10.000Z',
  '2031-02-03T23:59:59.999-23:59': '2031-02-04T23:58:59.999Z',
  '2031-02-03T00:00:00+05:45': '2031-02-02T18:15:00.000Z',
  '2028-02-29T00:00:00Z': '2028-02-29T00:00:00.000Z',
  '2031-06-30T23:59:60Z': '2031-07-01T00:00:00.000Z',
  // The same leap second, and part of it, in other offsets.
  '2031-07-01T00:59:60+01:00': '2031-07-01T00:00:00.000Z',
  '2031-06-30T15:59:60.75-08:00': '2031-07-01T00:00:00.750Z',
  '2031-07-01T05:44:60+05:45': '2031-07-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z': '1969-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z': '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
};
const invalidDates = [
  '2031-02-03',
  '2031-02-03T04:05Z',
  '2031-02-03T04:05:06',
  '2031-02-03 04:05:06Z',
  '2031-02-03T04:05:06,5Z',
  '2031-02-03T04:05:06.Z',
  '2031-02-03T04:05:06-0000',
  '2031-02-03T04:05:06+0530',
  '2031-02-03T04:05:06+24:00',
  '2031-02-03T24:00:00Z',
  '2031-02-03T04:60:00Z',
  '2031-02-03T04:05:61Z',
  '2031-06-30T23:58:60Z',
  '2031-06-30T23:59:60+01:00',
  '2031-06-30T23:59:60-08:00',
  '2031-02-29T00:00:00Z',
  '2031-04-31T00:00:00Z',
  '2031-00-10T00:00:00Z',
  '2031-13-01T00:00:00Z',
  '+12031-02-03T04:05:06Z',
  '31-02-03T04:05:06Z',
  ' 2031-02-03T04:05:06Z',
  '2031-02-03T04:05:06Z ',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '1900000000',
  'now',
];
/** Valid names and categories, stored verbatim. */
const texts = [
  ' a ',
  ' ',
  '\u00a0',
  '\u2028',
  '\ufeff',
  "'; DROP TABLE pets; --",
  '<b>',
  '{{7*7}}',
  '__proto__',
  'null',
  '\\u0041',
  '%41',
  'a+b',
  '\u0130\u0131',
  '\u{1f468}\u200d\u{1f467}',
  '0',
  '\u{10ffff}',
  // Equal without case, and wildcards or lists in a query.
  ...['a', 'A', '%', '_', '*', 'a,A'],
];
const invalidTexts = [
  '',
  '\u0000',
  'a\u0000',
  '\n',
  'a\r\nb',
  '\t',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u009f',
  '\ud800',
  'a\udc00',
];
/** Spellings of 3. */
const threes = ['3', '3.0', '3e0', '30e-1', '0.3E1', '3.000000000000000000'];
const invalidIntegers = [
  '"3"',
  '3.5',
  '3.00000000000000000001',
  '1e-1',
  '1e400',
  '-1',
  'true',
  '[3]',
  '{}',
  '9223372036854775808',
];

/** Valid and invalid spellings of each type of value, wherever the service accepts one. */
export function everyValueChecks(suite: Suite, context: Context): void {
  const { check } = suite.section('all.values', 'Valid and invalid values');
  const { client, v2 } = context;
  const pet = once(async () => {
    await v2.require();
    return v2.newPet(5000);
  });
  const orderBody = (petId: string, fields: string) => `{"petId":${petId},${fields}}`;
  const place = async (fields: string) => v2.tryToPlace(orderBody(String(await pet()), fields));
  const createPet = async (body: string, headers: Record<string, string> = json) => {
    const response = await v2.send('POST', '/pets', body, headers);
    if (response.status !== 201) return response;
    const { id } = objectOf(response, 201);
    v2.onCleanUp(() => v2.send('PATCH', `/pets/${id}`, '{"stock":0}'));
    return response;
  };

  check(
    'dates',
    'a date in any spelling of RFC 3339 is the same time: in orders, filters and QUERY',
    async () => {
      const petId = await pet();
      for (const [text, time] of Object.entries(dates)) {
        const placed = await place(`"quantity":1,"shipDate":"${text}"`);
        const order = orderIn(placed, 201);
        equal(order.shipDate, time, 'shipDate', `${placed.request} ${text}`);
        equal((await v2.order(order.id)).shipDate, time, 'shipDate', `GET /store/orders/${order.id}`);
        const list = `/store/orders?petId=${petId}&sort=-id`;
        const encoded = encodeURIComponent(text);
        const from = await v2.get(`${list}&shipDateFrom=${encoded}`);
        equal(pageOf(from).data[0], order, 'the order of that time', from.request);
        expectSameBody(from, await v2.get(`${list}&shipDateFrom=${time}`));
        const to = await v2.get(`${list}&shipDateTo=${encoded}`);
        equal(
          pageOf(to).data.filter(({ id }) => id === order.id),
          [],
          'orders at that time',
          to.request,
        );
        expectSameBody(to, await v2.get(`${list}&shipDateTo=${time}`));
        const body = JSON.stringify({ petId: Number(petId), sort: '-id', shipDateFrom: text });
        expectSameBody(await v2.send('QUERY', '/store/orders', body), from);
        expectStatus(await v2.send('DELETE', `/store/orders/${order.id}`), 204);
      }
    },
  );
  check(
    'no-dates',
    'anything but a date-time with an offset is 400: in orders, filters and QUERY',
    async () => {
      for (const text of invalidDates) {
        const encoded = encodeURIComponent(text);
        expectError(await place(`"quantity":1,"shipDate":"${text}"`), 400, 'invalid_body');
        for (const name of ['shipDateFrom', 'shipDateTo']) {
          expectErrorNaming(await v2.get(`/store/orders?${name}=${encoded}`), 'invalid_parameter', name);
          const body = JSON.stringify({ [name]: text });
          expectErrorNaming(await v2.send('QUERY', '/store/orders', body), 'invalid_parameter', name);
        }
      }
    },
  );
  check('integers', 'an integer may be written as any whole JSON number, and is exact', async () => {
    const petId = await pet();
    for (const text of threes) {
      equal(orderIn(await place(`"quantity":${text}`), 201).quantity, 3n, 'quantity', text);
      const created = await createPet(`{"name":"A","category":"acceptance","stock":${text}}`);
      const { id, stock } = objectOf(created, 201);
      equal(stock, 3n, 'stock', text);
      const changed = await v2.send('PATCH', `/pets/${id}`, `{"name":"B","stock":${text}}`);
      equal(objectOf(changed).stock, 3n, 'stock', `${changed.request} ${text}`);
      expectSameBody(
        await v2.send('QUERY', '/store/orders', `{"limit":${text}}`),
        await v2.get('/store/orders?limit=3'),
      );
    }
    for (const text of [`${petId}.0`, `${petId}e0`, `${petId}00E-2`])
      equal(orderIn(await v2.tryToPlace(orderBody(text, '"quantity":1')), 201).petId, petId, 'petId', text);
    for (const text of ['9007199254740993.0', `${petId + 2n ** 53n}`, '-1', '0', '9223372036854775807'])
      expectError(await v2.tryToPlace(orderBody(text, '"quantity":1')), 422, 'unknown_pet');
    for (const text of invalidIntegers) {
      expectError(await place(`"quantity":${text}`), 400, 'invalid_body');
      if (text !== '-1')
        expectError(await v2.tryToPlace(orderBody(text, '"quantity":1')), 400, 'invalid_body');
      expectError(
        await createPet(`{"name":"A","category":"acceptance","stock":${text}}`),
        400,
        'invalid_body',
      );
      expectError(await v2.send('PATCH', `/pets/${petId}`, `{"stock":${text}}`), 400, 'invalid_body');
    }
  });
  check('texts', 'text is stored and found exactly as sent, in both versions', async () => {
    await v2.require();
    for (const text of [...texts, '\u{1f43e}'.repeat(50)]) {
      const name = text === '\u{1f43e}'.repeat(50) ? text.repeat(2) : text;
      const given = { name, category: text };
      const created = await createPet(JSON.stringify({ ...given, stock: 0 }));
      const pet = objectOf(created, 201);
      const { stock, status, ...rest } = pet;
      equal({ stock, status, ...rest }, { id: pet.id, ...given, status: 'sold', stock: 0n }, 'the pet', text);
      const inV1 = jsonOf(await client.send({ path: `/pets/${pet.id}` })) as Fields;
      equal([inV1.name, inV1.category], [name, text], 'the pet in version 1', text);
      const found = pageOf(await v2.get(`/pets?category=${encodeURIComponent(text)}&limit=1000`)).data;
      equal(found.at(-1), pet, 'the pet found by its category', text);
      equal(
        found.filter(({ category }) => category !== text),
        [],
        'pets of another category',
        text,
      );
      const changed = await v2.send('PATCH', `/pets/${pet.id}`, JSON.stringify({ name }));
      equal(objectOf(changed), pet, 'the pet with its own name', text);
    }
    equal(pageOf(await v2.get('/pets?category=a+b')).data.length, 0, 'pets of the category “a b”');
  });
  check('no-texts', 'a text that is empty, too long or has control characters is 400', async () => {
    const petId = await pet();
    const tooLong = { name: '\u{1f43e}'.repeat(101), category: '\u{1f43e}'.repeat(51) };
    for (const name of ['name', 'category'] as const)
      for (const text of [...invalidTexts, tooLong[name]]) {
        const body = { name: 'A', category: 'acceptance', [name]: text };
        const created = await createPet(JSON.stringify(body));
        expectError(created, 400, 'invalid_body');
        equal(objectOf(created, 400).pointer, `/${name}`, 'pointer', created.request);
        const changed = await v2.send('PATCH', `/pets/${petId}`, JSON.stringify({ [name]: text }));
        expectError(changed, 400, 'invalid_body');
      }
  });
  check(
    'absent',
    'null, an absent field and an empty object are different where the document says so',
    async () => {
      const petId = await pet();
      const { shipDate, placedAt } = orderIn(await place('"quantity":1,"shipDate":null'), 201);
      equal(Date.parse(shipDate) - Date.parse(String(placedAt)), 3 * 86_400_000, 'milliseconds ahead');
      const before = objectOf(await v2.get(`/pets/${petId}`));
      for (const name of ['name', 'category', 'stock'])
        for (const other of [{}, { name: 'B', stock: 1 }]) {
          const headers = { 'Content-Type': 'application/merge-patch+json' };
          const body = JSON.stringify({ ...other, [name]: null });
          expectError(await v2.send('PATCH', `/pets/${petId}`, body, headers), 400, 'invalid_body');
        }
      equal(objectOf(await v2.get(`/pets/${petId}`)), before, 'the pet');
      for (const name of ['name', 'category', 'stock']) {
        const body = { name: 'A', category: 'acceptance', stock: 1, [name]: null };
        expectError(await createPet(JSON.stringify(body)), 400, 'invalid_body');
        expectError(
          await v2.send('PATCH', `/pets/${petId}`, JSON.stringify({ [name]: null })),
          400,
          'invalid_body',
        );
      }
      for (const name of ['petId', 'quantity']) {
        const body = { petId: Number(petId), quantity: 1, [name]: null };
        expectError(await v2.tryToPlace(JSON.stringify(body)), 400, 'invalid_body');
      }
    },
  );
  check(
    'messages',
    'the error for a body with several invalid fields names each of them; `pointer` names the first',
    async () => {
      await v2.require();
      const response = await v2.tryToPlace('{"petId":"a","quantity":0,"colour":"red"}');
      expectError(response, 400, 'invalid_body');
      const { message, pointer } = objectOf(response, 400);
      for (const name of ['petId', 'quantity', 'colour'])
        equal(String(message).includes(name), true, `a message that names ${name}:`, response.request);
      equal(pointer, '/petId', 'pointer', response.request);
    },
  );
  check(
    'media-types',
    'the media type of JSON is accepted in any case and with `charset=utf-8`, as is the encoding `identity`',
    async () => {
      await v2.require();
      const body = '{"name":"A","category":"acceptance"}';
      for (const type of [
        'application/json; charset=utf-8',
        'APPLICATION/JSON',
        'application/json;charset="UTF-8"',
      ])
        expectStatus(await createPet(body, { 'Content-Type': type }), 201);
      expectStatus(await createPet(body, { ...json, 'Content-Encoding': 'identity' }), 201);
      expectStatus(await createPet(body, { ...json, 'Transfer-Encoding': 'chunked' }), 201);
      for (const type of [
        'application/json; charset=latin1',
        'application/merge-patch+json',
        'application/json, text/plain',
      ])
        expectError(await createPet(body, { 'Content-Type': type }), 415, 'unsupported_media_type');
      for (const encoding of ['gzip', 'br', 'deflate', 'x-other'])
        expectError(
          await createPet(body, { ...json, 'Content-Encoding': encoding }),
          415,
          'unsupported_media_type',
        );
    },
  );
  check(
    'same-body',
    'for an `Idempotency-Key` the spelling of numbers and dates does not matter; null equals absent',
    async () => {
      const petId = await pet();
      const equivalent = [
        [
          `{"petId":${petId},"quantity":1}`,
          `{"quantity":1.0,"petId":${petId}e0}`,
          `{"petId":${petId},"shipDate":null,"quantity":10e-1}`,
        ],
        [
          `{"petId":${petId},"quantity":1,"shipDate":"2031-02-03T04:05:06Z"}`,
          `{"petId":${petId},"quantity":1,"shipDate":"2031-02-03t05:05:06.000+01:00"}`,
        ],
      ];
      for (const [first = '', ...others] of equivalent) {
        const headers = { 'Idempotency-Key': `a b ~!"{}${randomUUID()}` };
        const placed = await v2.tryToPlace(first, headers);
        expectStatus(placed, 201);
        for (const body of others) {
          const again = await v2.tryToPlace(body, headers);
          expectSameBody(again, placed);
          equal(headerOf(again, 'Idempotent-Replayed'), 'true', 'Idempotent-Replayed', body);
        }
        const escaped = first.replace('petId', 'pet\\u0049d');
        expectSameBody(await v2.tryToPlace(escaped, headers), placed);
        for (const body of [
          `{"petId":${petId},"quantity":2}`,
          '{"petId":987654321,"quantity":1}',
          `{"petId":${petId},"quantity":1,"shipDate":"2031-02-03T04:05:06.001Z"}`,
          `{"petId":${petId},"quantity":1,"shipDate":"${orderIn(placed, 201).placedAt}"}`,
        ])
          expectError(await v2.tryToPlace(body, headers), 422, 'idempotency_key_reused');
      }
    },
  );
  check('near-keys', 'an `Idempotency-Key` that differs in one character is another key', async () => {
    const body = `{"petId":${await pet()},"quantity":1}`;
    const long = randomUUID().padEnd(254, 'x');
    const placed = [];
    for (const key of [
      `${long}a`,
      `${long}b`,
      `${long}A`,
      long,
      long.toUpperCase(),
      long.slice(0, 100),
      `-${long}`,
    ]) {
      const response = await v2.tryToPlace(body, { 'Idempotency-Key': key });
      placed.push(orderIn(response, 201).id);
    }
    equal(new Set(placed).size, placed.length, 'the number of distinct orders:');
  });
  check('several-values', '`status` takes up to 20 values, with duplicates', async () => {
    await v2.require();
    const times = (count: number) => Array<string>(count).fill('pending').join();
    expectSameBody(
      await v2.get(`/store/orders?limit=3&status=${times(20)}`),
      await v2.get('/store/orders?limit=3&status=pending'),
    );
    const either = await v2.get('/store/orders?limit=3&status=pending,shipped');
    const repeated = Array<string>(8).fill('&status=pending,shipped').join('');
    for (const query of ['&status=shipped&status=pending', repeated.replace(',shipped', '&status=shipped')])
      expectSameBody(await v2.get(`/store/orders?limit=3${query}`), either);
    expectErrorNaming(await v2.get(`/store/orders?status=${times(21)}`), 'invalid_parameter', 'status');
  });
}
