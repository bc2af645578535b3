import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus, headerOf } from '../../expect.ts';
import { alteredKey } from '../../invalid-keys.ts';
import { parseExact } from '../../json.ts';
import { readStream } from '../../stream.ts';
import { type Fields, objectOf, pageOf } from '../../v2.ts';
import { stagingSection } from './sandbox.ts';

/** By status, the states that an order has had. */
const statesUntil: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending'],
  shipped: ['pending', 'shipped'],
  delivered: ['pending', 'shipped', 'delivered'],
};
const MAX_ORDERS_PER_STATUS = 3;
const PET_LIMIT = 10_000;
const EXPORT_LIMIT = 10_000;

/** What a store contains after a reset, and what clients see of the reset. */
export function resetChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'sandbox', 'the sandbox', 'post /sandbox/reset');
  const { v2, client } = context.staging ?? context;
  const reset = async (body: string) => expectStatus(await v2.send('POST', '/sandbox/reset', body), 200);
  const toDefault = () => reset('{"dataSet":"default"}');

  check('stream', '“A reset starts a new log; an open stream continues with the new contents”', async () => {
    const { events } = await readStream(client, {
      path: '/store/events/stream',
      count: 2,
      async onOpen() {
        await toDefault();
        // One more event than is read: if one is missing, the check fails at once instead of timing out.
        for (let count = 0; count < 2; count += 1) await v2.newPet(0);
      },
    });
    equal(
      events.map(({ event }) => event),
      ['store.reset', 'pet.created'],
      'the events of the stream',
    );
    const { id, type, data } = parseExact(events[0]?.data ?? '{}') as Fields;
    equal([id, type, data], [events[0]?.id, 'store.reset', {}], 'the event');
  });
  check('tags', '`ETag`: “changes with every change to the store”, so also with a reset', async () => {
    await toDefault();
    const v1 = client.base.pathname.replace(/\/+$/, '');
    const paths = [`${v1}/store/orders`, `${v1}/pets`, `${v1}/pets/1`].concat(
      [
        '/store/orders',
        '/store/orders/1',
        '/store/orders/1/history',
        '/pets',
        '/pets/1',
        '/store/summary',
      ].map((path) => client.v2 + path),
    );
    const tags = new Map<string, string>();
    for (const path of paths) tags.set(path, headerOf(await client.send({ prefix: '', path }), 'ETag'));
    await reset('{"dataSet":"int64"}');
    try {
      for (const [path, tag] of tags) {
        const response = await client.send({ prefix: '', path, headers: { 'If-None-Match': tag } });
        expectStatus(response, 200);
        ensure(response.headers.etag !== tag, 'a different ETag', tag, response.request);
      }
    } finally {
      await toDefault();
    }
  });
  check(
    'cursors',
    'a reset discards cursors: “idempotency keys, armed faults and cursors are discarded”',
    async () => {
      await toDefault();
      for (const path of ['/store/orders', '/pets']) {
        const { nextCursor } = pageOf(await v2.get(`${path}?limit=1`));
        const next = `${path}?limit=1&cursor=${nextCursor}`;
        expectStatus(await v2.get(next), 200);
        await toDefault();
        expectError(await v2.get(next), 400, 'invalid_cursor');
      }
    },
  );
  check(
    'concurrent',
    'resets and changes at the same time: each takes effect as a whole, or is 503 with `Retry-After`',
    async () => {
      try {
        const headers = { 'Content-Type': 'application/json' };
        const send = (path: string, body: string) =>
          client.send({ method: 'POST', prefix: client.v2, path, headers, body, isUnrecorded: true });
        const work = [5000, 7, 3000, 1].map((count) =>
          send('/sandbox/reset', `{"dataSet":"large","orders":${count}}`),
        );
        const pets = Array.from({ length: 8 }, () => send('/pets', '{"name":"A","category":"b","stock":0}'));
        const [resets, created] = [await Promise.all(work), await Promise.all(pets)];
        for (const response of [...resets, ...created]) {
          expectStatus(response, 200, 201, 503);
          if (response.status !== 503) continue;
          expectError(response, 503, 'unavailable');
          headerOf(response, 'Retry-After');
        }
        // If all were 503, `last` would be undefined, unlike the number of orders.
        const done = resets.filter(({ status }) => status === 200).map((response) => objectOf(response));
        const last = done.toSorted((a, b) => Number((a.revision as bigint) - (b.revision as bigint))).at(-1);
        const { orders, stock, revision } = objectOf(await v2.get('/store/summary'));
        const total = Object.values(orders as Record<string, bigint>).reduce((sum, count) => sum + count);
        equal(total, last?.orders, 'the orders of the last reset');
        const { data } = pageOf(await v2.get('/store/events?after=0'));
        const later = data.filter(({ type }) => type === 'pet.created').length;
        equal(data[0]?.type, 'store.reset', 'the first event');
        const expected = [BigInt(12 + later), (last?.revision as bigint) + BigInt(later)];
        equal([BigInt((stock as unknown[]).length), revision], expected, 'pets and revision');
        equal(resets.filter(({ status }) => status === 200).length > 0, true, 'whether a reset was done:');
      } finally {
        await toDefault();
      }
    },
  );
  check('histories', 'the history of a demonstration order has every status it has had', async () => {
    await toDefault();
    const { items } = await v2.walk('/store/orders?limit=1000');
    for (const [status, states] of Object.entries(statesUntil))
      for (const order of items.filter((one) => one.status === status).slice(0, MAX_ORDERS_PER_STATUS)) {
        const response = await v2.get(`/store/orders/${order.id}/history`);
        const { data } = objectOf(response) as { data: Fields[] };
        equal(
          data.map((entry) => entry.status),
          states,
          'the history',
          response.request,
        );
        const times = data.map(({ at }) => String(at));
        equal(
          [times[0], times.at(-1)],
          [order.placedAt, order.updatedAt],
          'first and last',
          response.request,
        );
        if (status !== 'pending') equal(times[1], order.shipDate, 'when it shipped', response.request);
        equal(times, times.toSorted(), 'the times', response.request);
      }
  });
  check('keys', 'without a key, or with an invalid one, every operation of the sandbox is 401', async () => {
    const operations = [...(await v2.document.operations()).keys()].filter((name) =>
      name.includes('/sandbox/'),
    );
    const headers = { 'Content-Type': 'application/json' };
    for (const name of operations) {
      const [method = '', path = ''] = name.split(' ');
      const call = { method: method.toUpperCase(), prefix: client.v2, path };
      const body = /post|put/.test(method) && { body: '{"dataSet":"empty"}', headers };
      expectError(await client.send({ ...call, ...body, key: null }), 401, 'missing_api_key');
      expectError(
        await client.send({ ...call, ...body, key: alteredKey(client.key) }),
        401,
        'invalid_api_key',
      );
    }
  });
  check('full', `a store has at most ${PET_LIMIT} pets: one more is 409 \`pet_limit_reached\``, async () => {
    const pets = Array.from({ length: PET_LIMIT - 1 }, () => '{"name":"A","category":"b","stock":0}').join();
    await reset(`{"data":{"pets":[${pets}],"orders":[]}}`);
    try {
      const create = () => v2.send('POST', '/pets', '{"name":"A","category":"b","stock":0}');
      expectStatus(await create(), 201);
      expectError(await create(), 409, 'pet_limit_reached');
      const { pets: exported } = objectOf(await v2.get('/sandbox/data')) as { pets: Fields[] };
      equal(exported.length, PET_LIMIT, 'the number of exported pets:');
    } finally {
      await toDefault();
    }
  });
  check(
    'too-much',
    `an export has at most ${EXPORT_LIMIT} orders: more are 409 \`too_much_data\``,
    async () => {
      await reset(`{"dataSet":"large","orders":${EXPORT_LIMIT}}`);
      try {
        const { orders } = objectOf(await v2.get('/sandbox/data')) as { orders: Fields[] };
        equal(orders.length, EXPORT_LIMIT, 'the number of exported orders:');
        await v2.place(await v2.newPet(1));
        expectError(await v2.get('/sandbox/data'), 409, 'too_much_data');
      } finally {
        await toDefault();
      }
    },
  );
}
