import { randomUUID } from 'node:crypto';
import { Inconclusive, once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
  jsonOf,
} from '../../expect.ts';
import { parseExact } from '../../json.ts';
import { readStream } from '../../stream.ts';
import { idsOf, objectOf, orderIn, pageOf } from '../../v2.ts';
import { revisionOf } from './events.ts';
import { expectErrorNaming } from './pages.ts';
import { createSampleOrders } from './sample-orders.ts';
import { sectionOf } from './section.ts';

/** Characters other than `3` that some parsers read as 3. */
const otherThrees = ['\uff13', '\u0663', '\u0969', '\u00b3'];
/** Text that normalization, trimming or a fixed width would change. */
const texts = [
  'Zoe\u0308',
  'Zo\u00eb',
  '\u212b',
  'e\u0301\u0323',
  '\ufb01',
  '\u{1f469}\u200d\u{1f469}',
  '\u05d0b\u05d1',
  '\u{1d7d9}',
];

export function edgeChecks(suite: Suite, { v2, client }: Context): void {
  const { check } = sectionOf(suite, v2, 'edges', 'edge cases');
  const sampleOrders = once(() => createSampleOrders(v2));
  const pet = once(() => v2.newPet(1000));
  const bodyOf = async (rest: string) => `{"petId":${await pet()},${rest}}`;

  for (const sort of ['shipDate', '-shipDate', '-id'])
    check(
      `ties.${sort}`,
      `\`sort=${sort}\`: equal dates at a page boundary are neither repeated nor skipped`,
      async () => {
        const { path, orders } = await sampleOrders();
        const whole = pageOf(await v2.get(`${path}&sort=${sort}`)).data;
        for (let limit = 1; limit <= orders.length; limit += 1) {
          const { items } = await v2.walk(`${path}&sort=${sort}&limit=${limit}`);
          equal(idsOf(items), idsOf(whole), 'the orders', `GET ${path}&sort=${sort}&limit=${limit}`);
        }
      },
    );
  check('full-last-page', 'a full last page has `nextCursor` null and no `Link`', async () => {
    const { path, orders } = await sampleOrders();
    for (const query of [`limit=${orders.length}`, `limit=${orders.length}&sort=-shipDate`]) {
      const response = await v2.get(`${path}&${query}`);
      equal(pageOf(response).nextCursor, null, 'nextCursor', response.request);
      expectNoHeader(response, 'Link');
    }
    const total = (await v2.walk('/pets?limit=1000')).items.length;
    if (total > 1000) return;
    const pets = await v2.get(`/pets?limit=${total}`);
    equal(pageOf(pets).nextCursor, null, 'nextCursor', pets.request);
    expectNoHeader(pets, 'Link');
  });
  check('addresses', '`Location` and `Link` stay on the requested host', async () => {
    const { path } = await sampleOrders();
    const placed = await v2.tryToPlace(await bodyOf('"quantity":1'));
    const created = await v2.send('POST', '/pets', '{"name":"A","category":"acceptance","stock":0}');
    const creations = [
      [placed, headerOf(placed, 'Location'), `/store/orders/${orderIn(placed, 201).id}`],
      [created, headerOf(created, 'Location'), `/pets/${objectOf(created, 201).id}`],
    ] as const;
    for (const [response, location, target] of creations) {
      const { host, pathname, search } = new URL(location, client.base);
      equal(
        [host, pathname, search],
        [client.base.host, client.v2 + target, ''],
        'Location',
        response.request,
      );
    }
    for (const page of [`${path}&limit=1`, '/pets?limit=1', '/store/events?after=0&limit=1']) {
      const response = await v2.get(page);
      const [, target = ''] = /<([^>]+)>/.exec(headerOf(response, 'Link')) ?? [];
      equal(new URL(target, client.base).host, client.base.host, 'the host of Link', response.request);
    }
  });
  check(
    'replayed-rejection',
    'a replayed rejection equals the first, byte for byte, with its headers',
    async () => {
      const soldOut = await v2.newPet(0);
      for (const body of [`{"petId":${soldOut},"quantity":1}`, '{"petId":987654321,"quantity":1}']) {
        const headers = { 'Idempotency-Key': randomUUID() };
        const first = await v2.tryToPlace(body, headers);
        expectStatus(first, 409, 422);
        expectNoHeader(first, 'Idempotent-Replayed');
        const again = await v2.tryToPlace(body, headers);
        expectStatus(again, first.status);
        expectSameBody(again, first);
        equal(headerOf(again, 'Idempotent-Replayed'), 'true', 'Idempotent-Replayed', again.request);
        equal(again.headers['content-type'], first.headers['content-type'], 'content type', again.request);
        for (const each of [first, again]) expectNoHeader(each, 'Location');
      }
    },
  );
  check('same-body', 'the same body for an `Idempotency-Key`: compared as JSON, not as text', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const petId = await pet();
    const first = await v2.tryToPlace(`{"petId":${petId},"quantity":1}`, headers);
    expectStatus(first, 201);
    for (const body of [`{"quantity":1,"petId":${petId}}`, ` { "petId" : ${petId} , "quantity" : 1 } `])
      expectSameBody(await v2.tryToPlace(body, headers), first);
  });
  check('unicode', 'text is stored unchanged: neither normalized nor truncated', async () => {
    for (const text of texts) {
      const sent = JSON.stringify({ name: text, category: text, stock: 0 });
      const created = objectOf(await v2.send('POST', '/pets', sent), 201);
      for (const pet of [
        created,
        objectOf(await v2.get(`/pets/${created.id}`)),
        jsonOf(await client.send({ path: `/pets/${created.id}` })) as Record<string, unknown>,
      ])
        equal([pet.name, pet.category], [text, text], 'name and category', `GET /pets/${created.id}`);
      const changed = objectOf(
        await v2.send('PATCH', `/pets/${created.id}`, JSON.stringify({ name: `${text}!` })),
      );
      equal(changed.name, `${text}!`, 'the name after a change');
      const query = `/pets?category=${encodeURIComponent(text)}&limit=1000`;
      const found = (await v2.walk(query)).items.map(({ category }) => category);
      ensure(
        found.length > 0 && found.every((one) => one === text),
        `pets of ${text}`,
        found,
        `GET ${query}`,
      );
    }
  });
  check('digits', 'digits of other scripts are rejected: in parameters, bodies and dates', async () => {
    for (const three of otherThrees) {
      const encoded = encodeURIComponent(three);
      for (const name of ['limit', 'petId'])
        expectErrorNaming(await v2.get(`/store/orders?${name}=${encoded}`), 'invalid_parameter', name);
      const date = `203${three}-02-03T04:05:06Z`;
      expectErrorNaming(
        await v2.get(`/store/orders?shipDateFrom=${encodeURIComponent(date)}`),
        'invalid_parameter',
        'shipDateFrom',
      );
      for (const body of [
        await bodyOf(`"quantity":"${three}"`),
        await bodyOf(`"quantity":1,"shipDate":"${date}"`),
      ])
        expectError(await v2.tryToPlace(body), 400, 'invalid_body');
      expectErrorNaming(await v2.get(`/store/events?after=${encoded}`), 'invalid_parameter', 'after');
    }
  });
  check('lower-case-dates', 'a date may be written with `t` and `z`, as in RFC 3339', async () => {
    const placed = await v2.tryToPlace(await bodyOf('"quantity":1,"shipDate":"2031-02-03t04:05:06.789z"'));
    equal(orderIn(placed, 201).shipDate, '2031-02-03T04:05:06.789Z', 'shipDate', placed.request);
    const { path } = await sampleOrders();
    const [upper, lower] = ['2031-03-02T00:00:00Z', '2031-03-02t00:00:00z'];
    expectSameBody(
      await v2.get(`${path}&shipDateFrom=${lower}`),
      await v2.get(`${path}&shipDateFrom=${upper}`),
    );
  });
  check(
    'leap-second',
    'a leap second is read as the second after it; `"shipDate":null` counts as absent',
    async () => {
      const leap = await v2.tryToPlace(await bodyOf('"quantity":1,"shipDate":"2031-06-30T23:59:60Z"'));
      const { shipDate } = orderIn(leap, 201);
      equal(shipDate, '2031-07-01T00:00:00.000Z', 'shipDate', leap.request);
      const none = orderIn(await v2.tryToPlace(await bodyOf('"quantity":1,"shipDate":null')), 201);
      const days = (Date.parse(none.shipDate) - Date.now()) / 86_400_000;
      ensure(days > 2.9 && days < 3.1, 'three days from now', none.shipDate);
    },
  );
  check('idempotent-pets', '`createPet` rejects `Idempotency-Key`, which it does not support', async () => {
    const response = await v2.send('POST', '/pets', '{"name":"A","category":"acceptance"}', {
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    });
    expectError(response, 400, 'invalid_parameter');
  });
  check('resume-at-head', 'a stream that resumes after the last event sends only new ones', async () => {
    const petId = await pet();
    for (const sendsHeader of [true, false]) {
      const head = String(await revisionOf(v2));
      const { events } = await readStream(client, {
        path: `/store/events/stream${sendsHeader ? '' : `?after=${head}`}`,
        ...(sendsHeader && { headers: { 'Last-Event-ID': head } }),
        count: 1,
        onOpen: () => v2.place(petId),
      });
      const [{ id = '', data = '{}' } = {}] = events;
      equal(id, String(BigInt(head) + 1n), 'the first event', `after ${head}`);
      equal((parseExact(data) as { type: unknown }).type, 'order.placed', 'the type');
    }
  });
  check('no-body', 'a 204 of version 2 announces no body', async () => {
    const { id } = await v2.place(await pet());
    const response = await v2.send('DELETE', `/store/orders/${id}`);
    expectStatus(response, 204);
    for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
      expectNoHeader(response, name);
  });
  check('two-authorizations', 'two `Authorization` headers are 401 `invalid_api_key`', async () => {
    const line = `Authorization: Bearer ${client.key}\r\n`;
    const request = client.requestText({ path: '/pets' });
    if (!request.includes(line)) throw new Inconclusive('the key is not sent as a plain bearer token');
    expectError(
      await client.sendBytes(request.replace(line, line + line), 'GET /pets with two keys'),
      401,
      'invalid_api_key',
    );
  });
  check(
    'ambiguous',
    '“A target with `#`; two `Host` or `Idempotency-Key` headers” are 400 `bad_request`',
    async () => {
      const petId = await v2.newPet(3);
      const v1 = client.base.pathname.replace(/\/+$/, '');
      const body = `{"petId":${petId},"quantity":1}`;
      const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
      const placing = client
        .requestText({ method: 'POST', path: '/store/orders', headers, body })
        .replace(`POST ${v1}`, `POST ${client.v2}`);
      const twice = (line: string) => placing.replace('\r\n', `\r\n${line}\r\n${line}\r\n`);
      const key = randomUUID();
      // The HTTP parser may reject them, whose errors have fewer headers.
      const send = (text: string, name: string) => client.sendBytes(text, name, { isUnrecorded: true });
      for (const [name, text] of [
        ['a target with #', placing.replace('/store/orders ', '/store/orders#a ')],
        ['two Host headers', placing.replace('\r\n', `\r\nHost: ${client.base.host}\r\n`)],
        ['two different Host headers', placing.replace('\r\n', '\r\nHost: other.example\r\n')],
        ['the same Idempotency-Key twice', twice(`Idempotency-Key: ${key}`)],
        ['two Idempotency-Key headers', twice(`Idempotency-Key: ${key}`).replace(key, randomUUID())],
      ] as const)
        expectError(await send(text, `POST /v2/store/orders with ${name}`), 400, 'bad_request');
      equal(await v2.stockOf(petId), 3n, 'the stock');
      for (const method of ['GET', 'DELETE'])
        for (const path of ['/pets#a', '/store/orders/987654321#', '/pets?a=1#b'])
          expectError(
            await send(client.requestText({ method, path }), `${method} ${path}`),
            400,
            'bad_request',
          );
    },
  );
  check(
    'target',
    'the target of a request to version 2 may have 8 KiB; one more character is 414',
    async () => {
      const path = `/store/summary?x=`.padEnd(8 * 1024 - client.v2.length, 'x');
      expectStatus(await v2.get(path), 200);
      expectError(await v2.get(`${path}x`), 414, 'uri_too_long');
    },
  );
  check(
    'unread-bodies',
    'an unwanted body of some megabytes is read: the response arrives, however much was sent',
    async () => {
      await v2.require();
      const body = ' '.repeat(6_000_000);
      const headers = { 'Content-Type': 'application/json' };
      expectStatus(await client.send({ path: '/pets', body, headers }), 200);
      expectError(
        await client.send({ method: 'DELETE', path: '/store/orders/987654321', body, headers }),
        404,
        'not_found',
      );
      expectError(await v2.send('POST', '/pets', body), 413, 'payload_too_large');
      expectError(await v2.send('POST', '/pets', body, { 'Content-Type': 'text/plain' }), 415);
      expectError(await client.send({ path: '/pets', body, headers, key: null }), 401, 'missing_api_key');
    },
  );
  check('nesting', 'a body nested thousands of levels deep is 400 `invalid_body`', async () => {
    await v2.require();
    for (const [start, end] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
      for (const depth of [33, 8000]) {
        const nested = `${start.repeat(depth)}1${end.repeat(depth)}`;
        const create = (body: string) => v2.send('POST', '/pets', body);
        expectError(await create(nested), 400, 'invalid_body');
        expectError(await create(`{"name":"A","category":"b","stock":${nested}}`), 400, 'invalid_body');
      }
  });
}
