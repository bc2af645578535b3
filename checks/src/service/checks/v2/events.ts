import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectJson,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../../expect.ts';
import { type Fields, idsOf, objectOf, orderIn, pageOf, type V2 } from '../../v2.ts';
import { expectErrorNaming } from './pages.ts';
import { sectionOf } from './section.ts';

export const revisionOf = async (v2: V2) => objectOf(await v2.get('/store/summary')).revision as bigint;

/** Text outside ASCII, and outside the basic plane. */
const changedPet = '{"name":"\u017dofie \u{1f408}","stock":20}';

/** Changes a pet and its orders. Returns the events that the responses imply, and the revision before them. */
export async function createHistory(v2: V2) {
  const since = await revisionOf(v2);
  const petId = await v2.newPet(10);
  const pet = objectOf(await v2.get(`/pets/${petId}`));
  const first = await v2.place(petId, 2, '2031-02-03T04:05:06.000Z');
  const shipped = orderIn(await v2.send('POST', `/store/orders/${first.id}/ship`));
  const second = await v2.place(petId, 1);
  const delivered = orderIn(await v2.send('POST', `/store/orders/${first.id}/deliver`));
  expectStatus(await v2.send('DELETE', `/store/orders/${second.id}`), 204);
  const cancelled = await v2.order(second.id);
  const changed = objectOf(await v2.send('PATCH', `/pets/${petId}`, changedPet));
  const expectedEvents: [string, Fields][] = [
    ['pet.created', pet],
    ['order.placed', first],
    ['order.shipped', shipped],
    ['order.placed', second],
    ['order.delivered', delivered],
    ['order.cancelled', cancelled],
    ['pet.changed', changed],
  ];
  return { since, expectedEvents };
}

export function eventChecks(suite: Suite, { v2 }: Context): void {
  const { check } = sectionOf(suite, v2, 'events', 'events', 'get /store/events');
  const history = once(() => createHistory(v2));
  const path = async () => `/store/events?after=${(await history()).since}`;

  check(
    'each-change',
    'each change is one event, in order, with the order or pet at that revision',
    async () => {
      const { expectedEvents } = await history();
      const { data } = pageOf(await v2.get(`${await path()}&limit=${expectedEvents.length}`));
      const actual = data.map((event) => [event.type, event.data]);
      equal(
        actual.map(([type]) => type),
        expectedEvents.map(([type]) => type),
        'the types',
      );
      for (const [index, event] of expectedEvents.entries()) equal(actual[index], event, 'the event');
      for (const { type, at, data: shown } of data) {
        const { placedAt, updatedAt } = shown as Fields;
        const expected = type === 'order.placed' ? placedAt : updatedAt;
        if (expected !== undefined) equal(at, expected, `the time of ${type}`);
      }
    },
  );
  check('form', 'an event is `{"id":"<revision>","type":…,"at":"…Z","data":{…}}`', async () => {
    const { data } = pageOf(await v2.get(await path()));
    for (const event of data) {
      equal(Object.keys(event).slice(0, 4), ['id', 'type', 'at', 'data'], 'the fields');
      ensure(
        /^[1-9]\d*$/.test(String(event.id)) && typeof event.id === 'string',
        'a revision, as text',
        event.id,
      );
      const { at } = event;
      ensure(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(at)),
        'a time such as 2026-01-31T09:30:00.000Z',
        at,
      );
    }
  });
  check('order', 'ids increase, and the last one is the revision of the store', async () => {
    const { items } = await eventsAfter(v2, (await history()).since);
    const ids = items.map(({ id }) => BigInt(String(id)));
    const areIncreasing = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0n));
    ensure(areIncreasing, 'ids that increase', ids.join());
    equal(ids.at(-1), await revisionOf(v2), 'the last id');
  });
  check(
    'after',
    '`after` is exclusive; pages add up without overlap; the last has `nextCursor` null',
    async () => {
      const { since } = await history();
      const whole = await eventsAfter(v2, since);
      for (const limit of [1, 3]) {
        const { items, pages } = await eventsAfter(v2, since, limit);
        equal(items, whole.items, 'the events', `by pages of ${limit}`);
        ensure(
          pages.slice(0, -1).every(({ data }) => data.length === limit),
          `pages of ${limit}`,
          pages.map(({ data }) => data.length).join(),
        );
      }
      const last = String(whole.items.at(-1)?.id);
      equal(
        pageOf(await v2.get(`/store/events?after=${last}`)),
        { data: [], nextCursor: null },
        'the page after the last',
      );
    },
  );
  check('link', 'a `Link` with `rel="next"` leads to the next page, and is absent on the last', async () => {
    const first = await v2.get(`${await path()}&limit=2`);
    const [, target = ''] = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headerOf(first, 'Link')) ?? [];
    const { pathname, search } = new URL(target, v2.client.base);
    const linked = pageOf(await v2.client.send({ prefix: '', path: pathname + search }));
    const next = pageOf(await v2.get(`/store/events?after=${pageOf(first).nextCursor}&limit=2`));
    equal(idsOf(linked.data), idsOf(next.data), 'the next events', `GET ${target}`);
    expectNoHeader(await v2.get(`${await path()}&limit=1000`), 'Link');
  });
  check('from-the-beginning', 'without `after`, the list of events starts like `after=0`', async () => {
    equal(
      pageOf(await v2.get('/store/events?limit=5')).data,
      pageOf(await v2.get('/store/events?after=0&limit=5')).data,
      'the events',
    );
  });
  check('same-later', 'an event read again later is the same, byte for byte', async () => {
    const { expectedEvents } = await history();
    const query = `${await path()}&limit=${expectedEvents.length - 1}`;
    const early = await v2.get(query);
    const { id } = await v2.place(await v2.newPet(1));
    expectStatus(await v2.send('DELETE', `/store/orders/${id}`), 204);
    expectSameBody(await v2.get(query), early);
  });
  check('beyond', '`after` the last event is an empty page', async () => {
    for (const after of [await revisionOf(v2), 9_223_372_036_854_775_807n]) {
      const response = await v2.get(`/store/events?after=${after}`);
      equal(pageOf(response), { data: [], nextCursor: null }, 'the page', response.request);
    }
  });
  check('refused-change', 'a rejected change creates no event', async () => {
    const petId = await v2.newPet(0);
    const before = await revisionOf(v2);
    expectError(await v2.tryToPlace(`{"petId":${petId},"quantity":1}`), 409, 'insufficient_stock');
    expectError(await v2.send('PATCH', `/pets/${petId}`, '{"stock":-1}'), 400, 'invalid_body');
    equal(pageOf(await v2.get(`/store/events?after=${before}`)).data, [], 'the events since');
  });
  check('parameters', 'an unknown or malformed parameter is 400 `invalid_parameter`, naming it', async () => {
    for (const query of ['after=abc', 'after=-1', 'after=', 'limit=0', 'limit=1001', 'type=order.placed']) {
      expectErrorNaming(
        await v2.get(`/store/events?${query}`),
        'invalid_parameter',
        query.split('=')[0] ?? '',
      );
    }
  });
  check('accept', 'the list of events is JSON, whatever `Accept` says', async () => {
    await v2.require('get /store/events/stream');
    for (const accept of ['text/event-stream', '*/*;q=0.1, text/event-stream;q=0.1', 'text/html']) {
      const response = await v2.get(`${await path()}&limit=2`, { Accept: accept });
      expectStatus(response, 200);
      expectJson(response);
      equal(pageOf(response).data.length, 2, 'the number of events:', response.request);
    }
  });
}

/** All events after a revision, read page by page. */
async function eventsAfter(v2: V2, since: bigint, limit = 1000) {
  const pages = [];
  for (let after: string | null = String(since); after !== null; after = pages.at(-1)?.nextCursor ?? null) {
    pages.push(pageOf(await v2.get(`/store/events?after=${after}&limit=${limit}`)));
    ensure(pages.length < 1000, 'fewer than 1,000 pages', 'more');
  }
  return { pages, items: pages.flatMap(({ data }) => data) };
}
