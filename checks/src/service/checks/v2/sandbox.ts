import { once, type Section, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  jsonOf,
} from '../../expect.ts';
import type { Response } from '../../http.ts';
import { ordersIn } from '../../orders.ts';
import { idsOf, objectOf, pageOf } from '../../v2.ts';
import { revisionOf } from './events.ts';
import { sectionOf } from './section.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;
const needsStaging = 'needs --staging-url and --staging-key';

const noRows = '"data":{"pets":[],"orders":[]}';
const limits = [
  '{"requests":0,"seconds":60}',
  '{"requests":1000001,"seconds":60}',
  '{"requests":1,"seconds":0}',
  '{"requests":1,"seconds":86401}',
  '{"requests":1.5,"seconds":60}',
  '{"requests":"5","seconds":60}',
  '{"requests":5}',
  '{"seconds":60}',
  '{"requests":5,"seconds":60,"burst":1}',
  '{}',
  '[]',
  '5',
];
const days = [
  '2026-02-30',
  '1969-12-31',
  '9999-01-01',
  '2026-13-01',
  '2026-1-1',
  '2026-11-16T00:00:00Z',
  'today',
];

/** Bodies that are 400 `invalid_body`, for a reset and for a temporary store. */
export const invalidContents: readonly string[] = [
  ...['"none"', '"own"', '"Default"', 'null', '1'].map((dataSet) => `{"dataSet":${dataSet}}`),
  ...['default', 'empty', 'int64'].map((dataSet) => `{"dataSet":"${dataSet}","orders":5}`),
  ...['0', '1000001', '-1', '1.5', '"5"', 'null'].map((orders) => `{"dataSet":"large","orders":${orders}}`),
  ...['1.5', '"1"', 'null', '9223372036854775808', '-9223372036854775809'].map(
    (seed) => `{"dataSet":"default","seed":${seed}}`,
  ),
  ...['"dataSet":"empty"', '"seed":1', '"orders":5'].map((field) => `{${field},${noRows}}`),
  ...days.map((today) => `{"dataSet":"default","today":"${today}"}`),
  ...limits.map((limit) => `{"dataSet":"empty","rateLimit":${limit}}`),
  '{"dataSet":"empty","colour":"red"}',
  '[]',
];

/** A section that runs on staging. Without staging, all of its statements are listed as not checked. */
export function stagingSection(
  suite: Suite,
  context: Context,
  id: string,
  title: string,
  operation: string,
): Section {
  const { staging } = context;
  if (staging) return sectionOf(suite, staging.v2, id, title, operation);
  const section = suite.section(`v2.${id}`, `Version 2: ${title}`);
  return { ...section, check: (name, sentence) => section.inconclusive(name, sentence, needsStaging) };
}

export function sandboxChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'sandbox', 'the sandbox', 'post /sandbox/reset');
  const { v2, client } = context.staging ?? context;
  const toDefault = () => v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}');
  /** Registers a cleanup, once: at the end of the run, the store has the demonstration data again. */
  const restoreAtEnd = once(async () => v2.onCleanUp(toDefault));
  const resetTo = async (body: string) => {
    await restoreAtEnd();
    return v2.send('POST', '/sandbox/reset', body);
  };
  const lists = async (): Promise<Response[]> => [
    await client.send({ path: '/store/orders' }),
    await client.send({ path: '/pets' }),
  ];
  const expectSameBodies = (responses: Response[], expected: Response[]) => {
    for (const [index, response] of responses.entries())
      expectSameBody(response, expected[index] ?? response);
  };

  check(
    'default',
    '`default`: the demonstration data, 12 pets and 40 orders, the same bytes each time',
    async () => {
      const { dataSet, seed, orders, pets } = objectOf(await toDefault());
      equal(
        { dataSet, seed, orders, pets },
        { dataSet: 'default', seed: 1n, orders: 40n, pets: 12n },
        'the response',
      );
      const first = await lists();
      equal(
        [ordersIn(first[0] as Response).length, (jsonOf(first[1] as Response) as unknown[]).length],
        [40, 12],
        'the numbers of orders and pets:',
      );
      expectStatus(await resetTo('{"dataSet":"default","seed":7}'), 200);
      expectSameBodies(await lists(), first);
      const { items } = await v2.walk('/store/orders?limit=1000');
      const count = (status: string) => items.filter((order) => order.status === status).length;
      equal(
        ['pending', 'shipped', 'delivered'].map(count),
        [20, 10, 10],
        'the numbers of pending, shipped and delivered orders:',
      );
      const { headers } = await toDefault();
      const now = Date.parse(headers.date ?? '');
      const today = new Date(now).toISOString().slice(0, 10);
      for (const { status, shipDate, placedAt, updatedAt } of items) {
        const times = [placedAt, updatedAt, shipDate].map((time) => Date.parse(String(time)));
        const [placed = 0, updated = 0, ships = 0] = times;
        const isDue = status === 'pending' ? ships > now && ships < now + 10 * 7 * DAY_MS : ships < now;
        ensure(
          isDue && placed < now && updated < now,
          'an order due in the following weeks, or else in the past',
          times,
        );
      }
      expectStatus(await resetTo(`{"dataSet":"default","today":"${today}"}`), 200);
      // The previous reset may have run just before midnight.
      if (now % DAY_MS > 60_000) expectSameBodies(await lists(), first);
      const sold = pageOf(await v2.get('/pets?status=sold')).data;
      equal(sold.length, 1, 'the number of pets that are sold out:');
    },
  );
  check(
    'response',
    'the response to a reset describes the new store: data set, seed, counts and revision',
    async () => {
      const data = '{"pets":[{"name":"Ada","category":"cat","stock":1}],"orders":[]}';
      for (const [body, dataSet, seed] of [
        ['{"dataSet":"default"}', 'default', 1n],
        ['{"dataSet":"empty"}', 'empty', 1n],
        ['{"dataSet":"int64","seed":7}', 'int64', 7n],
        ['{"dataSet":"large","seed":-7,"orders":30}', 'large', -7n],
        [`{"data":${data}}`, 'own', null],
      ] as const) {
        const response = objectOf(await resetTo(body));
        const { orders, stock, revision } = objectOf(await v2.get('/store/summary'));
        const counts = Object.values(orders as Record<string, bigint>).reduce((sum, count) => sum + count);
        const pets = BigInt((stock as unknown[]).length);
        equal(response, { ...response, dataSet, seed, orders: counts, pets, revision }, 'the response', body);
      }
      expectStatus(await toDefault(), 200);
    },
  );
  check('empty', '`empty`: no orders and no pets', async () => {
    expectStatus(await resetTo('{"dataSet":"empty"}'), 200);
    equal(
      (await lists()).map((response) => jsonOf(response)),
      [[], []],
      'the lists',
    );
    equal(pageOf(await v2.get('/store/orders')), { data: [], nextCursor: null }, 'the page');
    expectStatus(await toDefault(), 200);
  });
  check(
    'all-of-them',
    '“The response contains all orders in one array”: more than 5,000 of them',
    async () => {
      const { orders } = objectOf(await resetTo('{"dataSet":"large","orders":6000}'));
      equal(orders, 6000n, 'orders');
      const ids = ordersIn(await client.send({ path: '/store/orders' })).map(({ id }) => id);
      equal([ids.length, new Set(ids).size], [6000, 6000], 'the number of orders, and of different ids:');
      equal(idsOf((await v2.walk('/store/orders?limit=1000')).items), ids, 'the orders of all pages');
      expectStatus(await toDefault(), 200);
    },
  );
  check('large', '`large`: as many orders as requested; the same seed, the same bytes', async () => {
    const large = (seed: number) => resetTo(`{"dataSet":"large","orders":300,"seed":${seed}}`);
    const { orders, seed } = objectOf(await large(5));
    equal([orders, seed], [300n, 5n], 'orders and seed');
    const first = await lists();
    equal(ordersIn(first[0] as Response).length, 300, 'the number of orders:');
    expectStatus(await large(6), 200);
    const [other] = await lists();
    ensure(other?.text !== first[0]?.text, 'different orders with a different seed', 'the same orders');
    expectStatus(await large(5), 200);
    expectSameBodies(await lists(), first);
    const { items } = await v2.walk('/store/orders?limit=1000');
    equal(new Set(items.map(({ status }) => status)).has('cancelled'), false, 'cancelled orders:');
    const ages = items.map(({ placedAt }) => (Date.now() - Date.parse(String(placedAt))) / YEAR_MS);
    const [newest, oldest] = [Math.min(...ages), Math.max(...ages)];
    ensure(newest > 0 && newest < 1 && oldest > 6 && oldest < 7.1, 'orders of the previous seven years', {
      newest,
      oldest,
    });
    expectStatus(await toDefault(), 200);
  });
  check('int64', '`int64`: `petId` filters exactly, and new orders start at 1001', async () => {
    expectStatus(await resetTo('{"dataSet":"int64"}'), 200);
    try {
      for (const id of [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]) {
        equal(
          idsOf(pageOf(await v2.get(`/store/orders?petId=${id}`)).data),
          [id],
          'the orders',
          `petId=${id}`,
        );
        equal((await v2.order(id)).id, id, 'the order');
      }
      const { items } = await v2.walk('/store/orders?limit=2');
      equal(items.length, 9, 'the number of orders by pages of two:');
      const petId = await v2.newPet(1);
      equal([petId, (await v2.place(petId)).id], [1001n, 1001n], 'new ids');
      const rows = [];
      for (const seed of [7, 8, 7]) {
        expectStatus(await resetTo(`{"dataSet":"int64","seed":${seed}}`), 200);
        const orders = (await v2.walk('/store/orders')).items;
        equal(
          orders.map((order) => [order.id === order.petId, order.status === 'pending']),
          orders.map((_, index) => [true, index % 2 === 0]),
          'whether each order is for the pet with its id, and pending:',
        );
        rows.push(
          [orders.map(({ quantity }) => quantity), orders.map(({ shipDate }) => shipDate)].map(String),
        );
      }
      equal(rows[2], rows[0], 'the quantities and dates of the same seed');
      for (const [index, text] of (rows[0] ?? []).entries())
        ensure(text !== rows[1]?.[index], 'quantities and dates from the seed', text);
    } finally {
      await toDefault();
    }
  });
  check(
    'revision',
    'a reset is one change: the revision increases, a `store.reset` event is sent, keys keep working',
    async () => {
      const before = await revisionOf(v2);
      const { revision } = objectOf(await toDefault());
      equal(revision, before + 1n, 'the next revision');
      const { data } = pageOf(await v2.get(`/store/events?after=${before}`));
      equal(
        data.map(({ id, type, data: eventData }) => [id, type, eventData]),
        [[String(revision), 'store.reset', {}]],
        'the events since',
      );
    },
  );
  check('idempotency', 'a reset deletes idempotency keys', async () => {
    const headers = { 'Idempotency-Key': 'acceptance' };
    for (let times = 0; times < 2; times += 1) {
      expectStatus(await toDefault(), 200);
      const petId = await v2.newPet(1);
      const response = await v2.tryToPlace(`{"petId":${petId},"quantity":1}`, headers);
      expectStatus(response, 201);
      ensure(!('idempotent-replayed' in response.headers), 'a new order', 'a replay', response.request);
    }
  });
  check('large-by-default', '`large` has 10,000 orders by default', async () => {
    const { orders } = objectOf(await resetTo('{"dataSet":"large"}'));
    equal(orders, 10_000n, 'orders');
    const counts = Object.values(objectOf(await v2.get('/store/summary')).orders as Record<string, bigint>);
    equal(
      counts.reduce((sum, count) => sum + count),
      10_000n,
      'the orders of the summary',
    );
    expectStatus(await toDefault(), 200);
  });
  check('boundaries', 'the extreme values of a reset are accepted', async () => {
    const limit = (requests: number, seconds: number) =>
      `{"dataSet":"empty","rateLimit":{"requests":${requests},"seconds":${seconds}}}`;
    const seeds = ['-9223372036854775808', '9223372036854775807', '0'];
    for (const body of [
      ...seeds.map((seed) => `{"dataSet":"default","seed":${seed}}`),
      ...['1970-01-01', '9998-12-31', '2028-02-29'].map(
        (today) => `{"dataSet":"default","today":"${today}"}`,
      ),
      ...[limit(1_000_000, 86_400), limit(1_000_000, 1), limit(1, 1), '{"dataSet":"large","orders":1}'],
      '{"dataSet":"empty","rateLimit":null}',
      '{"data":{"pets":[],"orders":[]}}',
    ]) {
      const { seed } = objectOf(await resetTo(body));
      const [, given] = /"seed":(-?\d+)/.exec(body) ?? [];
      if (given !== undefined) equal(String(seed), given, 'seed', body);
    }
    expectStatus(await toDefault(), 200);
  });
  check('invalid', 'an invalid reset is 400 `invalid_body`, and changes nothing', async () => {
    const before = await revisionOf(v2);
    // What a temporary store may omit, a reset may not.
    for (const body of [
      ...invalidContents,
      '{}',
      '{"rateLimit":null}',
      '{"today":"2026-11-16"}',
      '{"seed":7}',
    ])
      expectError(await resetTo(body), 400, 'invalid_body');
    equal(await revisionOf(v2), before, 'the revision');
  });
  check(
    'production',
    'on production, the sandbox is 404 `not_found`, and the message names staging',
    async () => {
      const { v2: productionV2, client: production } = context;
      const before = await production.send({ path: '/store/orders' });
      for (const [method, path] of [
        ['POST', 'reset'],
        ['GET', 'faults'],
        ['PUT', 'faults'],
        ['DELETE', 'faults'],
        ['GET', 'data'],
        ['POST', 'stores'],
        ['DELETE', 'stores/current'],
      ]) {
        const response = await productionV2.send(
          method ?? '',
          `/sandbox/${path}`,
          method === 'GET' ? undefined : '{}',
        );
        expectError(response, 404, 'not_found');
        ensure(
          /staging/.test(response.text),
          'a message that names staging',
          response.text,
          response.request,
        );
      }
      expectSameBody(await production.send({ path: '/store/orders' }), before);
      for (const prefix of [production.base.pathname, production.v2])
        for (const preference of [
          'code=503',
          'fault=drop',
          'fault=truncate',
          'fault=status; code=404',
          'now="2090-01-01T00:00:00Z"',
          'colour=red, handling=strict',
        ]) {
          const preferring = await production.send({
            prefix,
            path: '/pets',
            headers: { Prefer: preference },
          });
          expectStatus(preferring, 200);
          expectNoHeader(preferring, 'Preference-Applied');
        }
    },
  );
}
