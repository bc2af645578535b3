import { once } from 'node:events';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../support/engines.ts';
import { hostileJson } from '../support/hostile-json.ts';
import { openSocket, parseResponse } from '../support/http.ts';
import { useService } from '../support/service.ts';
import { type Client, etagOf, type Order, openClient, type Pet, type Sent } from '../support/v2.ts';

const order = (fields: string) => `{"petId":1,"quantity":1${fields}}`;
const pet = (fields: string) => `{"name":"Luna","category":"cat"${fields}}`;
const text = 'a string of 1 to 100 characters';
const int64 = 'an integer from -9223372036854775808 to 9223372036854775807.';
const units = 'an integer from 1 to 1000';
const json = 'not valid JSON';
const object = 'it must be a JSON object';

/** Bodies that are not valid orders, and the expected error. */
const badOrders: ReadonlyArray<[body: string | Buffer, says: string]> = [
  ['', json],
  [' ', json],
  ['{', json],
  ['{}}', json],
  ["{'petId':1}", json],
  [`${order('')},`, json],
  [order(',"a":01'), json],
  [order(',"a":+1'), json],
  [order(',"a":NaN'), json],
  [order(',"a":"\t"'), json],
  [order(',"a":"\\x"'), json],
  ['null', object],
  ['[]', object],
  [`[${order('')}]`, object],
  ['1', object],
  ['"petId"', object],
  ['true', object],
  ['{}', "'petId' is required"],
  ['{"petId":1}', "'quantity' is required"],
  ['{"quantity":1}', "'petId' is required"],
  [order(',"petid":1'), "'petid' is not a known field"],
  [order(',"status":"pending"'), "'status' is not a known field"],
  [order(',"id":7'), "'id' is not a known field"],
  [order(',"":1'), "'' is not a known field"],
  [order(',"__proto__":{"shipDate":"x"}'), "'__proto__' is not a known field"],
  [order(',"\\u005f_proto__":null'), "'__proto__' is not a known field"],
  [order(',"constructor":{"prototype":{}}'), "'constructor' is not a known field"],
  [order(',"toString":1'), "'toString' is not a known field"],
  [order(',"hasOwnProperty":1'), "'hasOwnProperty' is not a known field"],
  ['{"__proto__":{"petId":1,"quantity":1}}', "'__proto__' is not a known field"],
  [order(',"quantity":1'), 'duplicate field "quantity"'],
  [order(',"petId":2'), 'duplicate field "petId"'],
  [order(',"pet\\u0049d":2'), 'duplicate field "pet\\u0049d"'],
  [order(`,"a":${'['.repeat(33)}${']'.repeat(33)}`), 'nested too deeply'],
  [`${'['.repeat(30_000)}`, 'nested too deeply'],
  [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'nested too deeply'],
  ...[
    'null',
    '"1"',
    '"1.0"',
    'true',
    '1.5',
    '15e-1',
    '1e-1',
    '0.9999999999999999999999',
    '1.0000000000000000000001',
    '9223372036854775808.0',
    '9223372036854775807.5',
    '1e19',
    '1e999999999',
    '-1e999999999',
    '1e-999999999',
    `1e${'9'.repeat(4000)}`,
    '[1]',
    '{}',
    '""',
  ].flatMap((value): [string, string][] => [
    [`{"petId":${value},"quantity":1}`, `'petId' must be ${int64}`],
    [`{"petId":1,"quantity":${value}}`, `'quantity' must be ${units}`],
  ]),
  ['{"petId":9223372036854775808,"quantity":1}', `'petId' must be ${int64}`],
  ['{"petId":-9223372036854775809,"quantity":1}', `'petId' must be ${int64}`],
  ['{"petId":18446744073709551617,"quantity":1}', `'petId' must be ${int64}`],
  [`{"petId":1${'0'.repeat(4000)},"quantity":1}`, `'petId' must be ${int64}`],
  ['{"petId":1e400,"quantity":1}', `'petId' must be ${int64}`],
  ...['0', '-0', '-1', '1001', '4294967297', '18446744073709551617', `1${'0'.repeat(4000)}`].map(
    (quantity): [string, string] => [`{"petId":1,"quantity":${quantity}}`, `'quantity' must be ${units}`],
  ),
  ...[
    '1',
    '[]',
    '""',
    '"tomorrow"',
    '"2027-01-02"',
    '"2027-01-02T03:04:05"',
    '"2027-01-02 03:04:05Z"',
    '"2027-01-02T03:04Z"',
    '"2027-01-02T03:04:05.Z"',
    '"2027-01-02T03:04:05,5Z"',
    '"2027-01-02T03:04:05+0100"',
    '"2027-01-02T03:04:05+24:00"',
    '"2027-01-02T03:04:05+01:60"',
    '"2027-02-29T00:00:00Z"',
    '"2028-02-30T00:00:00Z"',
    '"2027-04-31T00:00:00Z"',
    '"2027-13-01T00:00:00Z"',
    '"2027-00-01T00:00:00Z"',
    '"2027-01-00T00:00:00Z"',
    '"2027-01-02T24:00:00Z"',
    '"2027-01-02T23:60:00Z"',
    '"2026-12-30T23:59:60Z"',
    '"2026-12-31T23:58:60Z"',
    '"2026-12-31T23:59:60+01:00"',
    '"2026-12-31T23:59:61Z"',
    '"9999-12-31T23:59:60Z"',
    '"02027-01-02T03:04:05Z"',
    '"+002027-01-02T03:04:05Z"',
    '"0000-01-01T00:00:00+00:01"',
    '"9999-12-31T23:59:59-00:01"',
    '"2027-01-02T03:04:05Z\\u0000"',
    '" 2027-01-02T03:04:05Z"',
    '"2027-01-02T03:04:05Z\\n"',
    '"٢027-01-02T03:04:05Z"',
  ].map((date): [string, string] => [
    order(`,"shipDate":${date}`),
    "'shipDate' must be a valid date and time",
  ]),
  [Buffer.from([0x7b, 0xff, 0x7d]), 'not valid UTF-8'],
  [Buffer.from('{"petId":1,"quantity":1,"a":"\xe9"}', 'latin1'), 'not valid UTF-8'],
  [Buffer.from(order(''), 'utf16le'), json],
  [Buffer.concat([Buffer.from(order('')), Buffer.from([0])]), json],
];

const badPets: ReadonlyArray<[body: string, says: string]> = [
  ['{}', "'name' is required"],
  ['{"name":"Luna"}', "'category' is required"],
  [pet(',"id":5'), "'id' is not a known field"],
  [pet(',"status":"sold"'), "'status' is not a known field"],
  [pet(',"name":"Max"'), 'duplicate field "name"'],
  ...[
    'null',
    '1',
    '""',
    '["a"]',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\n"',
    '"a\\u001f"',
    '"\\u007f"',
    '"\\u0085"',
  ].map((name): [string, string] => [`{"name":${name},"category":"cat"}`, `'name' must be ${text}`]),
  ...['"\\ud800"', '"a\\udc00b"', '"\\udc00\\ud800"'].map((name): [string, string] => [
    `{"name":${name},"category":"cat"}`,
    `'name' must be ${text}`,
  ]),
  [`{"name":"${'x'.repeat(101)}","category":"cat"}`, `'name' must be ${text}`],
  [`{"name":"Luna","category":"${'x'.repeat(51)}"}`, "'category' must be a string of 1 to 50 characters"],
  ...['null', '"3"', '-1', '1.5', '3.01', '-1.0', '1e10', '1000000001', '9223372036854775808'].map(
    (stock): [string, string] => [
      pet(`,"stock":${stock}`),
      "'stock' must be an integer from 0 to 1000000000",
    ],
  ),
];

const badChanges: ReadonlyArray<[body: string, says: string]> = [
  ['{}', 'at least one field'],
  ['{"stock":null}', "'stock' must be"],
  ['{"name":null}', "'name' must be"],
  ['{"id":5}', "'id' is not a known field"],
  ['{"status":"sold"}', "'status' is not a known field"],
  ['{"stock":-1}', "'stock' must be"],
  ['[]', object],
];

describe.each(engines)('bodies on $name', (engine) => {
  const service = useService(engine);

  async function rejects(target: string, bodies: ReadonlyArray<[string | Buffer, string]>): Promise<void> {
    const { client } = await openClient(service());
    const before = await etagOf(client);
    for (const [body, says] of bodies) {
      const response = await client(target, { body });
      const shown = body.toString().slice(0, 80);
      expect([shown, response.status, response.error().code]).toEqual([shown, 400, 'invalid_body']);
      expect([shown, response.error().message]).toEqual([shown, expect.stringContaining(says)]);
    }
    expect(await etagOf(client)).toBe(before);
  }

  it('are accepted in unusual but valid forms', async () => {
    const { client } = await openClient(service());
    const place = async (body: string | Buffer, headers = {}) =>
      (await client('POST /v2/store/orders', { body, headers })).status;
    expect(await place(' \r\n\t{ "quantity" : 1 , "petId" : 5 } \n')).toBe(201);
    expect(await place('{"\\u0070etId":5,"quantity":1}')).toBe(201);
    expect(await place(`\ufeff${order('')}`)).toBe(201);
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'APPLICATION/JSON; charset="utf-8"',
      'application/json;',
    ]) {
      expect([type, await place(order(''), { 'content-type': type })]).toEqual([type, 201]);
    }
    const chunked = await client('POST /v2/store/orders', {
      body: order(''),
      headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
    });
    expect(chunked.status).toBe(201);
  });

  it('may contain an integer in any JSON Schema form, stored exactly', async () => {
    const { client, store } = await openClient(service());
    const created = async (stock: string) =>
      (await client('POST /v2/pets', { body: pet(`,"stock":${stock}`) })).json<Pet>().stock;
    for (const three of ['3', '3.0', '3.000', '3e0', '3E+0', '0.3e1', '30e-1', '300.0e-2']) {
      expect([three, await created(three)]).toEqual([three, 3n]);
    }
    for (const zero of ['0', '-0', '0.0', '-0.0', '0e999999999', `0.${'0'.repeat(60_000)}`]) {
      expect([zero.slice(0, 20), await created(zero)]).toEqual([zero.slice(0, 20), 0n]);
    }
    expect(await created('1e3')).toBe(1000n);
    expect(await created(`1${'0'.repeat(30_000)}e-30000`)).toBe(1n);
    expect(await created(`0.${'0'.repeat(30_000)}7e30001`)).toBe(7n);
    const ids = [9007199254740993n, 9223372036854775807n, -9223372036854775808n];
    await service().database.exec(
      ids
        .map(
          (id) =>
            `INSERT INTO pets (store_id, id, name, category, stock, revision) VALUES (${store.storeId}, ${id}, 'Big', 'whale', 5, 1)`,
        )
        .join(';'),
    );
    for (const id of ids) {
      for (const written of [`${id}.0`, `${id}0e-1`, `${String(id).slice(0, -1)}.${String(id).at(-1)}e1`]) {
        const response = await client('POST /v2/store/orders', {
          body: `{"petId":${written},"quantity":1.0}`,
        });
        expect([written, response.status, response.json<Order>().petId]).toEqual([written, 201, id]);
      }
    }
  });

  it('report every invalid field, the first as a JSON pointer', async () => {
    const { client } = await openClient(service());
    const place = (body: string) => client('POST /v2/store/orders', { body });
    expect((await place('{"quantity":0,"a/b~c":1}')).json()).toEqual({
      code: 'invalid_body',
      message:
        "The request body is not valid: 'petId' is required; 'quantity' must be an integer from 1 to 1000; 'a/b~c' is not a known field.",
      status: 400n,
      pointer: '/petId',
    });
    expect((await place(order(',"a/b~c":1'))).json()).toMatchObject({ pointer: '/a~1b~0c' });
    const many = Array.from({ length: 500 }, (_, i) => `,"unknown ${i}":1`).join('');
    const { message } = (await place(order(many))).json<{ message: string }>();
    const [, more] =
      /^The request body is not valid: 'unknown 0' is not a known field; .*; and (\d+) more\.$/.exec(
        message,
      ) ?? [];
    expect(message.split("'unknown ").length - 1 + Number(more)).toBe(500);
    expect(message.length).toBeLessThanOrEqual(500);
    expect((await place('[]')).json()).not.toHaveProperty('pointer');
    expect((await client('GET /v1/store/orders/7')).json()).not.toHaveProperty('pointer');
  });

  it('may contain a null ship date, like an absent one, or a leap second', async () => {
    const { client } = await openClient(service());
    const place = (shipDate: string, key = 'one') =>
      client('POST /v2/store/orders', {
        body: order(shipDate),
        headers: { 'idempotency-key': key },
      });
    const first = await place('');
    const again = await place(',"shipDate":null');
    expect([again.status, again.text]).toEqual([201, first.text]);
    for (const [given, stored] of [
      ['2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000Z'],
      ['2027-01-01T00:59:60.5+01:00', '2027-01-01T00:00:00.500Z'],
    ] as const)
      expect((await place(`,"shipDate":"${given}"`, given)).json<Order>().shipDate).toBe(stored);
  });

  it('with an integer in another form are the same to an idempotency key', async () => {
    const { client } = await openClient(service());
    const place = (body: string) =>
      client('POST /v2/store/orders', { body, headers: { 'idempotency-key': 'same' } });
    const first = await place('{"petId":5,"quantity":2}');
    const again = await place('{"petId":5.0,"quantity":2e0}');
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('store every storable character of a name', async () => {
    const { client } = await openClient(service());
    for (const name of [
      '🦜'.repeat(100),
      'e\u0301',
      '\u2028',
      '"\\/',
      '<script>',
      '\ufeff',
      'İ',
      "'; --",
      '%00',
      ' a ',
    ]) {
      const created = await client('POST /v2/pets', { body: { name, category: name.slice(0, 50) } });
      expect([name, created.status, created.json<Pet>().name]).toEqual([name, 201, name]);
      const read = await client(`GET ${created.headers.location}`);
      expect(read.json<Pet>().name).toBe(name);
      const found = await client(`GET /v2/pets?category=${encodeURIComponent(name.slice(0, 50))}`);
      expect(found.json<{ data: Pet[] }>().data).toContainEqual(read.json());
    }
  });

  it('store an ID beyond 2^53 exactly', async () => {
    const { client, store } = await openClient(service());
    const ids = [9007199254740993n, 9223372036854775807n, -9223372036854775808n];
    await service().database.exec(
      ids
        .map(
          (id) =>
            `INSERT INTO pets (store_id, id, name, category, stock, revision) VALUES (${store.storeId}, ${id}, 'Big', 'whale', 5, 1)`,
        )
        .join(';'),
    );
    for (const petId of ids) {
      const response = await client('POST /v2/store/orders', { body: { petId, quantity: 1 } });
      expect(response.text).toContain(`"petId":${petId},`);
      const listed = await client(`GET /v2/store/orders?petId=${petId}`);
      expect(listed.json<{ data: Order[] }>().data).toEqual([response.json()]);
      const key = { 'idempotency-key': `big ${petId}` };
      const first = await client('POST /v2/store/orders', { body: { petId, quantity: 1 }, headers: key });
      const again = await client('POST /v2/store/orders', { body: { petId, quantity: 1 }, headers: key });
      expect(again.text).toBe(first.text);
      expect((await client(`GET /v2/pets/${petId}`)).json()).toMatchObject({ id: petId, stock: 3n });
    }
  });

  it.each([
    ['not valid', '{', 'application/json', 'keep-alive'],
    ['of another type', order(''), 'text/plain', 'keep-alive'],
    ['of another type and long', order('').padEnd(20_000_000, ' '), 'text/plain', 'close'],
  ])('that are %s: only a long unread one closes its connection', async (_, body, type, connection) => {
    const { client } = await openClient(service());
    const response = await client('POST /v2/store/orders', { body, headers: { 'content-type': type } });
    expect(response.headers).toMatchObject({ connection });
  });

  const padded = (bytes: number) => order('').padEnd(bytes, ' ');

  const bodies: Sent[] = [
    { body: '{' },
    { body: '{"quantity":"x"}' },
    { body: Buffer.from([0xff, 0xfe]), headers: { 'content-type': 'application/json' } },
    { body: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } },
    { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { body: 'x', headers: { 'content-type': 'nonsense;;;' } },
    { body: 'x', headers: { 'content-type': undefined } },
    { headers: { 'content-type': 'application/json' } },
    { headers: { 'content-type': 'application/json', 'content-length': 0 } },
    { body: '{}', headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } },
  ];

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it('400 invalid_body: names the problems of an order, and changes nothing', () =>
    rejects('POST /v2/store/orders', badOrders));

  it('400 invalid_body: names the problems of a pet, and changes nothing', () =>
    rejects('POST /v2/pets', badPets));

  it('400 invalid_body: names the problems of a change to a pet, and changes nothing', () =>
    rejects('PATCH /v2/pets/1', badChanges));

  it('400: a 64 KiB body crafted to parse slowly, without delay', async () => {
    const { client } = await openClient(service());
    for (const body of hostileJson) {
      const response = await client('POST /v2/store/orders', { body });
      expect(response.error().code).toBe('invalid_body');
    }
  });

  it('may write the offset +0000 for +00:00', async () => {
    const { client } = await openClient(service());
    for (const [sent, stored] of [
      ['2027-01-02T03:04:05+0000', '2027-01-02T03:04:05.000Z'],
      ['2027-01-02T03:04:05.678+0000', '2027-01-02T03:04:05.678Z'],
      ['2027-01-02T03:04:05.678901234+00:00', '2027-01-02T03:04:05.678Z'],
    ]) {
      const response = await client('POST /v2/store/orders', { body: order(`,"shipDate":"${sent}"`) });
      expect([sent, response.json<Order>().shipDate]).toEqual([sent, stored]);
    }
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'nonsense',
    '/',
  ])('415 unsupported_media_type: a body of type %s, and nothing changes', async (type) => {
    const { client } = await openClient(service());
    const before = await etagOf(client);
    const sent: Sent = { body: order(''), headers: { 'content-type': type } };
    expect((await client('POST /v2/store/orders', sent)).error().code).toBe('unsupported_media_type');
    expect((await client('POST /v2/pets', sent)).error().code).toBe('unsupported_media_type');
    if (type !== 'application/merge-patch+json')
      expect((await client('PATCH /v2/pets/1', sent)).error().code).toBe('unsupported_media_type');
    expect(await etagOf(client)).toBe(before);
  });

  it.each(['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'compress', 'identity, gzip', 'nonsense'])(
    '415 unsupported_media_type: a body with content encoding %s, and nothing changes',
    async (encoding) => {
      const { client } = await openClient(service());
      const before = await etagOf(client);
      const headers = { 'content-encoding': encoding };
      for (const body of [order(''), gzipSync(order('')), brotliCompressSync(order(''))]) {
        for (const target of ['POST /v2/store/orders', 'POST /v2/pets', 'PATCH /v2/pets/1']) {
          const response = await client(target, { body, headers });
          expect([target, response.status, response.error().code]).toEqual([
            target,
            415,
            'unsupported_media_type',
          ]);
          expect(response.error().message).toContain('Content-Encoding');
        }
      }
      expect(await etagOf(client)).toBe(before);
    },
  );

  it('may have content encoding identity; unread ones may have any', async () => {
    const { client } = await openClient(service());
    for (const encoding of ['identity', 'Identity', '']) {
      const headers = { 'content-encoding': encoding };
      const response = await client('POST /v2/store/orders', { body: order(''), headers });
      expect([encoding, response.status]).toEqual([encoding, 201]);
    }
    const { id } = await placed(client);
    const sent = { body: gzipSync('x'), headers: { 'content-encoding': 'gzip' } };
    expect((await client(`POST /v2/store/orders/${id}/ship`, sent)).status).toBe(200);
    expect((await client('GET /v1/pets', sent)).status).toBe(200);
  });

  it('401 comes before 415', async () => {
    const { client } = await openClient(service());
    const sent = { body: order(''), headers: { 'content-encoding': 'gzip' }, key: 'nobody' };
    expect((await client('POST /v2/store/orders', sent)).status).toBe(401);
  });

  it('400: a missing body where one is required', async () => {
    const { client } = await openClient(service());
    for (const target of ['POST /v2/store/orders', 'POST /v2/pets', 'PATCH /v2/pets/1']) {
      const response = await client(target);
      expect([target, response.status, response.error().code]).toEqual([target, 400, 'invalid_body']);
    }
  });

  it('413 payload_too_large: one byte more than 64 KiB, however it is announced, and nothing changes', async () => {
    const { client } = await openClient(service());
    expect((await client('POST /v2/store/orders', { body: padded(65_536) })).status).toBe(201);
    const before = await etagOf(client);
    for (const length of [65_537, 200_000, 2_000_000, 20_000_000]) {
      for (const headers of [{}, { 'content-length': undefined, 'transfer-encoding': 'chunked' }]) {
        const response = await client('POST /v2/store/orders', { body: padded(length), headers });
        expect([length, response.status, response.error().code]).toEqual([length, 413, 'payload_too_large']);
      }
    }
    expect(await etagOf(client)).toBe(before);
  });

  it('change nothing if an upload ends too early', async () => {
    const { client, store } = await openClient(service());
    const before = await etagOf(client);
    for (const framing of ['content-length: 500', 'transfer-encoding: chunked']) {
      const socket = await openSocket(service().port);
      const body = framing.startsWith('t') ? `19\r\n${order('')}\r\n` : order('');
      socket.end(
        `POST /v2/store/orders HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${store.key}\r\n` +
          `content-type: application/json\r\n${framing}\r\n\r\n${body}`,
      );
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
      await once(socket, 'close');
      if (chunks.length > 0) expect(parseResponse(Buffer.concat(chunks)).status).toBe(400);
    }
    expect(await etagOf(client)).toBe(before);
  });

  it('are ignored by ship and deliver', async () => {
    const { client } = await openClient(service());
    for (const [i, sent] of bodies.entries()) {
      const { id } = await placed(client);
      expect([i, (await client(`POST /v2/store/orders/${id}/ship`, sent)).status]).toEqual([i, 200]);
      expect([i, (await client(`POST /v2/store/orders/${id}/deliver`, sent)).status]).toEqual([i, 200]);
    }
  });
});

describe.each(anyEngine)('the body of each operation that takes one on $name', (engine) => {
  const service = useService(engine, { deployment: 'staging' });

  it.each([
    ['POST /v2/webhooks', 64 * 1024],
    ['PATCH /v2/webhooks/wh_x', 64 * 1024],
    ['PUT /v2/sandbox/faults', 64 * 1024],
    ['POST /v2/sandbox/stores', 4 * 1024 * 1024],
    ['POST /v2/sandbox/reset', 4 * 1024 * 1024],
  ])('%s is 413 beyond %i bytes, and 415 unless JSON', async (request, most) => {
    const { client } = await openClient(service());
    const statuses: number[] = [];
    for (const body of [' '.repeat(most + 1), ' '.repeat(most)])
      statuses.push((await client(request, { body })).status);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
    ])
      statuses.push((await client(request, { body: '{}', headers: { 'content-type': type } })).status);
    expect(statuses).toEqual([413, 400, 415, 415, 415]);
  });
});

async function placed(client: Client): Promise<Order> {
  return (await client('POST /v2/store/orders', { body: { petId: 5, quantity: 1 } })).json<Order>();
}
