import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OrderStatus, orderStatuses } from '../../src/domain/vocabulary.ts';
import { sampleOf, tries } from '../support/effort.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import {
  allOrders,
  type Client,
  etagOf,
  type Order,
  openClient,
  type Page,
  type Response,
  walk,
} from '../support/v2.ts';
import { type OrderQuery, parametersOf, selected, sorts } from './reference.ts';

const LIST = '/v2/store/orders';
const DAY = 86_400_000;
const START = Date.parse('2026-12-01T00:00:00.000Z');

/** Orders in every state, with many ship dates in common, and with the least and greatest ids. */
function manyOrders(): Array<[id: bigint, petId: bigint, shipDate: number, status: OrderStatus]> {
  const extremes = [-(2n ** 63n), -1n, 0n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
  return Array.from({ length: 200 }, (_, i) => [
    extremes[i] ?? BigInt(1000 + i),
    BigInt((i * 7) % 4),
    START + ((i * 31) % 8) * DAY,
    orderStatuses[(i * 5 + (i >> 4)) % 4] as OrderStatus,
  ]);
}

const subsets = Array.from({ length: 15 }, (_, i) => orderStatuses.filter((_, bit) => ((i + 1) >> bit) & 1));
const dates = [
  '2026-12-01T00:00:00Z',
  '2026-12-04T00:00:00.000Z',
  '2026-12-04T00:00:00.001+00:00',
  '2026-12-09T00:00:00Z',
];

describe.each(engines)('listOrders of v2 on $name', (engine) => {
  const service = useService(engine);

  let client: Client;

  let all: Order[];

  beforeAll(async () => {
    const opened = await openClient(service());
    client = opened.client;
    const { storeId } = opened.store;
    const rows = manyOrders().map(
      ([id, pet, date, status]) =>
        `(${storeId}, ${id}, ${pet}, 1, ${date}, '${status}', ${START}, ${START}, 4)`,
    );
    await service().database.exec(
      `DELETE FROM orders WHERE store_id = ${storeId}; INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
       VALUES ${rows.join()}`,
    );
    all = await allOrders(client);
    expect(all.map(({ id }) => id)).toEqual(
      manyOrders()
        .map(([id]) => id)
        .sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  async function listed(query: OrderQuery, limit: number): Promise<Order[]> {
    return walk<Order>(client, LIST, { ...parametersOf(query), limit: String(limit) });
  }

  it('200: every set of states in every sort, with and without a pet, matches a reference implementation', async () => {
    const queries = subsets.flatMap((status) =>
      sorts.flatMap((sort) => [undefined, 2n].map((petId) => ({ status, sort, petId }))),
    );
    for (const query of sampleOf(queries))
      expect(await listed(query, 13), String([query.status, query.sort])).toEqual(selected(all, query));
  });

  it('200: any combination of filters, sorts and page sizes matches a reference implementation', async () => {
    const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
    const queries = fc.record({
      status: optional(fc.subarray([...orderStatuses], { minLength: 1 })),
      petId: optional(fc.constantFrom(0n, 1n, 2n, 9n, 9223372036854775807n, -1n)),
      complete: optional(fc.boolean()),
      shipDateFrom: optional(fc.constantFrom(...dates)),
      shipDateTo: optional(fc.constantFrom(...dates)),
      sort: optional(fc.constantFrom(...sorts)),
    });
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom(1, 7, 50, 200, 1000), async (query, limit) => {
        const expected = selected(all, query);
        expect(await listed(query, Math.max(limit, Math.ceil(expected.length / 12)))).toEqual(expected);
      }),
      tries(30),
    );
  });

  it('200: a date range in every sort and state, including its bounds', async () => {
    const edges = [undefined, ...dates];
    const ranges = edges.flatMap((shipDateFrom) => edges.map((shipDateTo) => ({ shipDateFrom, shipDateTo })));
    const queries = sorts.flatMap((sort) =>
      ([undefined, ['pending'], ['shipped', 'cancelled']] as const).flatMap((status) =>
        ranges.map((range) => ({ sort, status, ...range })),
      ),
    );
    for (const query of sampleOf(queries))
      expect(await listed(query, 40), JSON.stringify(query)).toEqual(selected(all, query));
  });

  it('200: 50 orders by ascending ID by default, and exactly as many as exist', async () => {
    const first = (await client(`GET ${LIST}`)).json<Page<Order>>();
    expect(first.data).toEqual(all.slice(0, 50));
    const pages = async (limit: number) => (await client(`GET ${LIST}?limit=${limit}`)).json<Page<Order>>();
    expect((await pages(200)).nextCursor).toBeNull();
    expect((await pages(199)).nextCursor).not.toBeNull();
    expect((await pages(1000)).data).toHaveLength(200);
  });

  it('200: an empty page for inconsistent states', async () => {
    for (const query of ['complete=true&status=pending', 'complete=false&status=delivered', 'petId=77']) {
      expect((await client(`GET ${LIST}?${query}`)).text).toBe('{"data":[],"nextCursor":null}');
    }
  });

  it('304: any page while the store is unchanged', async () => {
    const { client } = await openClient(service());
    const first = await client(`GET ${LIST}?limit=10`);
    const next = `GET ${LIST}?limit=10&cursor=${first.json<Page<Order>>().nextCursor}`;
    const again = { headers: { 'if-none-match': first.headers.etag } };
    expect((await client(next, again)).status).toBe(304);
    expect((await client(`GET ${LIST}`, { headers: { 'if-none-match': '*' } })).status).toBe(304);
    for (const change of [
      'POST /v2/store/orders/2/ship',
      'DELETE /v2/store/orders/4',
      'DELETE /v1/store/orders/6',
    ]) {
      const before = await etagOf(client);
      await client(change);
      expect((await client(next, { headers: { 'if-none-match': before } })).status).toBe(200);
    }
  });

  const wrong: Record<string, string[]> = {
    status: [
      '',
      ',',
      'pending,',
      ',pending',
      'Pending',
      'pending;shipped',
      'pending%20',
      'open',
      'all',
      '%ff',
    ],
    petId: ['', 'abc', '1.0', '+1', '%2B1', '01', '9223372036854775808', '1,2', '%D9%A2', '1%00'],
    complete: ['', '1', 'TRUE', 'yes', 'true,false', 'null'],
    shipDateFrom: [
      '',
      '2026-12-01',
      '2026-02-30T00:00:00Z',
      '2026-12-01T24:00:00Z',
      '2026-12-01T00:00:00',
      '1',
      '2026-12-01T00:00:00+01:00',
    ],
    shipDateTo: ['', 'now', '2026-13-01T00:00:00Z', '2026-12-01T00:00:60Z'],
    sort: ['', 'ID', '%2Bid', '--id', 'shipdate', 'id,shipDate', 'status'],
    limit: ['', '0', '1001', '-1', '1.0', '050', '1e2', 'fifty', '9223372036854775808', '%zz'],
    cursor: ['', '%ff'],
    offset: ['1'],
    page: ['2'],
    Limit: ['1'],
    'status[]': ['pending'],
    '%00': ['1'],
    '%zz': ['1'],
    __proto__: ['1'],
    constructor: ['1'],
    '': ['1'],
  };

  it('states may be repeated or separated by commas, with the same list and cursor', async () => {
    const pages = await Promise.all(
      [
        'status=pending,shipped',
        'status=pending&status=shipped',
        'status=shipped&limit=5&status=pending',
        'status=pending,shipped&%73tatus=pending',
      ].map((query) => client(`GET ${LIST}?${query}${query.includes('limit') ? '' : '&limit=5'}`)),
    );
    const [first] = pages as [Response];
    expect(first.json<Page<Order>>().data).toHaveLength(5);
    for (const page of pages) expect([page.status, page.text]).toEqual([200, first.text]);
    for (const page of pages) {
      const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1];
      const response = await client(`GET ${next}`);
      expect(response.status).toBe(200);
      for (const { status } of response.json<Page<Order>>().data)
        expect(['pending', 'shipped']).toContain(status);
    }
  });

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it('200: the Link header leads to the next page, and is absent on the last', async () => {
    for (const query of [
      'limit=30',
      'status=pending,shipped&sort=-shipDate&limit=9',
      'shipDateTo=2026-12-05T01%3A00%3A00%2B01%3A00&limit=20',
    ]) {
      const walked = await walk<Order>(client, LIST, Object.fromEntries(new URLSearchParams(query)));
      const followed: Order[] = [];
      for (let target: string | undefined = `${LIST}?${query}`; target; ) {
        const response = await client(`GET ${target}`);
        const page = response.json<Page<Order>>();
        followed.push(...page.data);
        target = /^<([^>]+)>; rel="next"$/.exec(String(response.headers.link))?.[1];
        expect(target === undefined).toBe(page.nextCursor === null);
        if (target) expect(new URL(target, 'http://x').searchParams.get('cursor')).toBe(page.nextCursor);
      }
      expect(followed).toEqual(walked);
    }
  });

  it('200: a Link to the next page keeps a filter with a question mark in it', async () => {
    const { client } = await openClient(service());
    for (const name of ['a', 'b']) await client('POST /v2/pets', { body: { name, category: 'what?&é' } });
    const { headers } = await client('GET /v2/pets?limit=1&category=what?%26%C3%A9');
    const next = /^<([^>]+)>/.exec(String(headers.link))?.[1];
    expect((await client(`GET ${next}`)).json()).toMatchObject({ data: [{ name: 'b' }], nextCursor: null });
  });

  it('400 comes before 304: invalid parameters never match', async () => {
    const current = { headers: { 'if-none-match': '*' } };
    expect((await client(`GET ${LIST}?limit=0`, current)).status).toBe(400);
    expect((await client(`GET ${LIST}?cursor=x`, current)).error().code).toBe('invalid_cursor');
  });

  it.each(Object.entries(wrong))(
    '400 invalid_parameter: names %s when it is unknown or malformed',
    async (name, values) => {
      for (const value of values) {
        const response = await client(
          `GET ${LIST}?limit=1&${name}=${value}`.replace('limit=1&limit', 'limit'),
        );
        const { code, message } = response.error();
        expect([value, response.status, code]).toEqual([value, 400, 'invalid_parameter']);
        expect(message).toContain(`'${name === '%00' ? '\0' : name}'`);
      }
    },
  );

  it.each(['petId=1.0', 'petId=01', 'limit=5.0', 'limit=%2B5'])(
    'explains the format of %s',
    async (query) => {
      const { message } = (await client(`GET ${LIST}?${query}`)).error();
      expect(message).toMatch(/must be an integer from -?\d+ to \d+, in plain decimal form\.$/);
    },
  );

  it.each([
    'status=pending&status=',
    'status=pending&status=open',
    'status=%ff&status=pending',
    'status=pending&status=%ff',
    'status=pending&status',
    `status=${Array(21).fill('pending').join()}`,
    `${'status=pending&'.repeat(21)}`,
  ])('400 invalid_parameter: %s names status', async (query) => {
    const { code, message } = (await client(`GET ${LIST}?${query}`)).error();
    expect(code).toBe('invalid_parameter');
    expect(message).toContain("'status'");
  });

  it('20 states are accepted, even if repeated', async () => {
    expect((await client(`GET ${LIST}?status=${Array(20).fill('pending').join()}`)).status).toBe(200);
  });

  it('accepts the offset +0000 as +00:00, and no other offset without a colon', async () => {
    const plain = await client(`GET ${LIST}?shipDateFrom=2026-12-01T00:00:00Z`);
    const same = await client(`GET ${LIST}?shipDateFrom=2026-12-01T00:00:00%2B0000`);
    expect([same.status, same.text]).toEqual([200, plain.text]);
    for (const offset of ['%2B0100', '-0000', '-0100', '0000', '%2B000']) {
      const response = await client(`GET ${LIST}?shipDateFrom=2026-12-01T00:00:00${offset}`);
      expect([offset, response.status]).toEqual([offset, 400]);
    }
  });

  it.each([
    'complete=true&complete=true',
    'shipDateFrom=2026-12-01T00:00:00Z&shipDateFrom=2026-12-01T00:00:00Z',
    'petId=1&petId=1',
    'limit=1&limit=1',
    'cursor=a&cursor=b',
    'sort=id&%73ort=id',
  ])('400 invalid_parameter: %s is repeated', async (query) => {
    const response = await client(`GET ${LIST}?${query}`);
    expect(response.error().code).toMatch(/invalid_(parameter|cursor)/);
    expect(response.error().message).toContain(`'${query.split('=')[0]}' is repeated`);
  });
});
