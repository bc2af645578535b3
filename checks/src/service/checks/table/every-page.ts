import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectSameBody, expectStatus, headerOf } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { openTemporaryStore, type TemporaryStore } from '../../temporary-store.ts';
import { type Fields, idsOf, type Order, objectOf, orderSorts, pageOf } from '../../v2.ts';
import { expectErrorNaming } from '../v2/pages.ts';
import { createSampleOrders, dates } from '../v2/sample-orders.ts';
import type { Samples } from './operations.ts';

/** A list that has pages, and its expected items. */
interface Collection {
  readonly path: string;
  /** The query parameter that requests the next page. */
  readonly cursor: 'cursor' | 'after';
  readonly items: readonly Fields[];
}

const join = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** A filter of orders: as parameters, as fields of QUERY, and as a predicate. */
interface Filter {
  readonly query: string;
  readonly body: Fields;
  readonly test: (order: Order) => boolean;
}

const { early, middle, later, last } = dates;
/** The same time as `middle`: a link to the next page must escape the `+`. */
const middleInParis = middle.replace('T00:00:00.000Z', 'T01:00:00+01:00');
const filters: readonly Filter[] = [
  { query: '', body: {}, test: () => true },
  ...['pending', 'shipped', 'delivered', 'cancelled'].map((status) => ({
    query: `status=${status}`,
    body: { status: [status] },
    test: (order: Order) => order.status === status,
  })),
  {
    query: 'status=cancelled,pending,cancelled',
    body: { status: ['cancelled', 'pending', 'cancelled'] },
    test: ({ status }) => status === 'cancelled' || status === 'pending',
  },
  { query: 'complete=true', body: { complete: true }, test: ({ complete }) => complete === true },
  { query: 'complete=false', body: { complete: false }, test: ({ complete }) => complete === false },
  {
    query: `shipDateFrom=${middle}`,
    body: { shipDateFrom: middle },
    test: ({ shipDate }) => shipDate >= middle,
  },
  { query: `shipDateTo=${later}`, body: { shipDateTo: later }, test: ({ shipDate }) => shipDate < later },
  {
    query: `shipDateFrom=${encodeURIComponent(middleInParis)}`,
    body: { shipDateFrom: middleInParis },
    test: ({ shipDate }) => shipDate >= middle,
  },
  {
    query: `status=pending&shipDateFrom=${middle}&shipDateTo=${last}`,
    body: { status: ['pending'], shipDateFrom: middle, shipDateTo: last },
    test: ({ status, shipDate }) => status === 'pending' && shipDate >= middle && shipDate < last,
  },
  {
    query: `shipDateFrom=${last}&shipDateTo=${early}`,
    body: { shipDateFrom: last, shipDateTo: early },
    test: () => false,
  },
];

/** Every list that has pages, with every filter and sort. */
export function everyPageChecks(suite: Suite, context: Context, samples: () => Promise<Samples>): void {
  const { check } = suite.section('all.lists', 'Every page of every list');
  const { v2, staging } = context;
  const query = (body: Fields, address = '') =>
    v2.send(
      'QUERY',
      `/store/orders${address}`,
      JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
      { 'Content-Type': 'application/json' },
    );
  const sampleOrders = once(() => createSampleOrders(v2));
  const pets = once(async () => {
    const category = `a&b=c+d%41#e?f ${(await sampleOrders()).petId}`;
    const created: Fields[] = [];
    for (const stock of [3, 0, 2, 0, 1]) {
      const body = JSON.stringify({ name: 'Ada', category, stock });
      const pet = objectOf(await v2.send('POST', '/pets', body), 201);
      v2.onCleanUp(() => v2.send('PATCH', `/pets/${pet.id}`, '{"stock":0}'));
      created.push(pet);
    }
    return { category, created };
  });
  /** The list of a webhook's four deliveries; undefined without webhooks. */
  const deliveriesPath = once(async () => {
    const { webhookId } = await samples();
    if (webhookId === undefined) return undefined;
    for (let count = 0; count < 4; count += 1)
      expectStatus(await v2.send('POST', `/webhooks/${webhookId}/test`), 202);
    return `/webhooks/${webhookId}/deliveries`;
  });

  /** `Link` leads to the page that `nextCursor` continues with. */
  const expectNextLink = async (response: Response, path: string, query: string) => {
    const [, target = ''] = /<([^>]+)>; rel="next"/.exec(headerOf(response, 'Link')) ?? [];
    const { pathname, search } = new URL(target, v2.client.base);
    const linked = await v2.client.send({ prefix: '', path: pathname + search });
    expectSameBody(linked, await v2.get(join(path, query)));
  };
  const expectPages = async ({ path, cursor, items }: Collection, limits: readonly number[]) => {
    for (const limit of limits) {
      const found: Fields[] = [];
      let next: string | null = null;
      do {
        const address = join(path, `limit=${limit}${next === null ? '' : `&${cursor}=${next}`}`);
        const response = await v2.get(address);
        const page = pageOf(response);
        const left = items.length - found.length;
        equal(page.data.length, Math.min(limit, left), 'the number of items', response.request);
        found.push(...page.data);
        equal(page.nextCursor === null, found.length === items.length, 'the last page:', response.request);
        if (next === null) {
          expectSameBody(await v2.get(address), response);
          if (page.nextCursor !== null)
            await expectNextLink(response, path, `limit=${limit}&${cursor}=${page.nextCursor}`);
        }
        next = page.nextCursor;
      } while (next !== null);
      equal(found, items, 'the items', `GET ${join(path, `limit=${limit}`)}`);
    }
  };

  check(
    'orders',
    'orders with any filter and sort, by pages of any size; QUERY has the same pages',
    async () => {
      await v2.require();
      const { path, orders, petId } = await sampleOrders();
      for (const [sort, compare] of Object.entries(orderSorts))
        for (const { query: parameters, body, test } of filters) {
          const items = orders.filter(test).toSorted(compare);
          const filtered = join(path, [parameters, `sort=${sort}`].filter(Boolean).join('&'));
          const limit = items.length < 3 ? 1 : 2;
          await expectPages({ path: filtered, cursor: 'cursor', items }, [limit]);
          const first = await v2.get(join(filtered, `limit=${limit}`));
          const selection = { petId, ...body, sort, limit };
          expectSameBody(await query(selection), first);
          const { nextCursor: cursor } = pageOf(first);
          if (cursor !== null)
            expectSameBody(
              await query({ ...selection, cursor }),
              await v2.get(join(filtered, `limit=${limit}&cursor=${cursor}`)),
            );
        }
    },
  );
  check('pets', 'pets with any filter, by pages of any size', async () => {
    await v2.require();
    const { category, created } = await pets();
    const path = `/pets?category=${encodeURIComponent(category)}`;
    await expectPages({ path, cursor: 'cursor', items: created }, [1, 2, 4, 5, 6]);
    for (const status of ['available', 'sold']) {
      const items = created.filter((pet) => pet.status === status);
      await expectPages({ path: `${path}&status=${status}`, cursor: 'cursor', items }, [1, 2, 3]);
      const all = (await v2.walk(`/pets?status=${status}&limit=1000`)).items;
      const whole = (await v2.walk('/pets?limit=1000')).items;
      equal(
        all,
        whole.filter((pet) => pet.status === status),
        `the pets that are ${status}`,
      );
    }
  });
  check('events', 'events by pages of any size', async () => {
    await v2.require();
    const { created } = await pets();
    const { data } = pageOf(await v2.get('/store/events?after=0&limit=1000'));
    const items = data
      .filter(({ data: pet }) => created.some(({ id }) => id === (pet as Fields).id))
      .slice(0, 5);
    const [first] = items;
    if (!first) return;
    const since = BigInt(String(first.id)) - 1n;
    const rest = pageOf(await v2.get(`/store/events?after=${since}&limit=1000`)).data;
    if (rest.length < 1000)
      for (const limit of [2, rest.length - 1, rest.length, rest.length + 1].filter(
        (n) => n > 0 && n <= 1000,
      )) {
        if (rest.length / limit > 20) continue;
        const found: Fields[] = [];
        for (let after: string | null = String(since); after !== null; ) {
          const page = pageOf(await v2.get(`/store/events?after=${after}&limit=${limit}`));
          found.push(...page.data);
          equal(page.nextCursor === null, found.length === rest.length, 'the last page:', `limit=${limit}`);
          if (page.nextCursor !== null)
            equal(page.nextCursor, page.data.at(-1)?.id, 'nextCursor', `limit=${limit}`);
          after = page.nextCursor;
        }
        equal(found, rest, 'the events', `GET /v2/store/events?after=${since}&limit=${limit}`);
      }
  });
  for (const [name, path] of [
    ['deliveries', deliveriesPath],
    ['requests', async () => '/store/requests'],
  ] as const)
    check(name, `${name} by pages of any size, newest first`, async () => {
      await v2.require();
      const list = await path();
      if (list === undefined) return;
      for (const limit of [2, 3]) {
        const found: Fields[] = [];
        for (let cursor = '', count = 0; count < 4; count += 1) {
          const { data, nextCursor } = pageOf(await v2.get(`${list}?limit=${limit}${cursor}`));
          const isFull = data.length === limit || (nextCursor === null && data.length < limit);
          equal(isFull, true, 'a full page, or a shorter last one:', `GET ${list}?limit=${limit}`);
          found.push(...data);
          if (nextCursor === null) break;
          cursor = `&cursor=${nextCursor}`;
        }
        const ids = found.map((item) => BigInt(String(item.id)));
        ensure(
          ids.every((id, at) => at === 0 || id < (ids[at - 1] ?? 0n)),
          'ids that decrease',
          ids.join(),
          `GET ${list}`,
        );
        // The list may have new items in front by now.
        const whole = idsOf(pageOf(await v2.get(`${list}?limit=1000`)).data);
        const from = whole.indexOf(found[0]?.id);
        equal(
          whole.slice(from, from + found.length),
          idsOf(found),
          'the items',
          `GET ${list}?limit=${limit}`,
        );
      }
    });
  check('changing', 'pages stay correct while orders and pets change between them', async () => {
    await v2.require();
    const petId = await v2.newPet(100);
    const placed: Order[] = [];
    for (let count = 0; count < 6; count += 1) placed.push(await v2.place(petId));
    const path = `/store/orders?petId=${petId}&limit=2`;
    const first = pageOf(await v2.get(path));
    expectStatus(await v2.send('DELETE', `/store/orders/${placed[0]?.id}`), 204);
    expectStatus(await v2.send('POST', `/store/orders/${placed[3]?.id}/ship`), 200);
    const late = await v2.place(petId);
    const rest = pageOf(
      await v2.get(`${path.replace(/limit=2$/, 'limit=1000')}&cursor=${first.nextCursor}`),
    ).data;
    const now = [];
    for (const { id } of [...placed.slice(2), late]) now.push(await v2.order(id));
    equal(rest, now, 'the rest of the orders');
    const { category, created } = await pets();
    const before = pageOf(await v2.get(`/pets?category=${encodeURIComponent(category)}&limit=2`));
    const [, , third] = created;
    const changed = objectOf(await v2.send('PATCH', `/pets/${third?.id}`, '{"name":"Changed"}'));
    const after = pageOf(
      await v2.get(`/pets?category=${encodeURIComponent(category)}&limit=9&cursor=${before.nextCursor}`),
    ).data;
    equal(after, [changed, ...created.slice(3)], 'the rest of the pets');
    created[2] = changed;
  });
  check('foreign-cursors', 'a cursor of another list, filter or store is 400 `invalid_cursor`', async () => {
    await v2.require();
    const { path } = await sampleOrders();
    const { category } = await pets();
    const hook = await v2.send('POST', '/webhooks', '{"url":"https://other.invalid/hook"}');
    const otherHook = hook.status === 201 ? `/webhooks/${objectOf(hook, 201).id}` : undefined;
    if (otherHook) v2.onCleanUp(() => v2.send('DELETE', otherHook));
    for (const _ of otherHook ? [1, 2] : []) expectStatus(await v2.send('POST', `${otherHook}/test`), 202);
    const lists = [
      `${path}&sort=-id`,
      path,
      `/pets?category=${encodeURIComponent(category)}`,
      '/pets?status=available',
      await deliveriesPath(),
      otherHook && `${otherHook}/deliveries`,
      '/store/requests',
    ].filter((list) => list !== undefined);
    const cursors: (readonly [string, string | null])[] = [];
    for (const list of lists) cursors.push([list, pageOf(await v2.get(join(list, 'limit=1'))).nextCursor]);
    for (const [list] of cursors)
      for (const [other, cursor] of cursors)
        if (other !== list && cursor !== null)
          expectError(await v2.get(join(list, `limit=1&cursor=${cursor}`)), 400, 'invalid_cursor');
    for (const [other, cursor] of cursors.slice(1)) {
      if (cursor === null || other === path) continue;
      const response = await query({ limit: 1, cursor });
      expectError(response, 400, 'invalid_cursor');
    }
    if (!staging) return;
    const { client } = staging;
    await using own = await openTemporaryStore(staging.v2, '{"expiresIn":60}');
    await using other = await openTemporaryStore(staging.v2, '{"expiresIn":60}');
    for (const list of ['/store/orders?limit=1', '/pets?limit=1']) {
      const send = ({ call }: TemporaryStore, cursor = '') => client.send(call('GET', `${list}${cursor}`));
      const { nextCursor } = pageOf(await send(own));
      expectStatus(await send(own, `&cursor=${nextCursor}`), 200);
      expectError(await send(other, `&cursor=${nextCursor}`), 400, 'invalid_cursor');
    }
  });
  check('query-address', 'QUERY with parameters in the URL is 400 `invalid_parameter`', async () => {
    await v2.require();
    for (const address of ['?limit=1', '?status=pending', '?unexpected=1'])
      expectErrorNaming(await query({}, address), 'invalid_parameter', address.slice(1).split('=')[0] ?? '');
  });
}
