import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectStatus, jsonOf } from '../../expect.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { type Fields, mondayOf, objectOf, pageOf } from '../../v2.ts';
import { stagingSection } from './sandbox.ts';
import { sectionOf } from './section.ts';

const DAY_MS = 86_400_000;
/** First days of fortnights: the limits of dates, and either side of 1970, a leap day and the end of a year. */
const fortnights = [
  '0000-01-01',
  '0001-12-25',
  '1582-10-08',
  '1969-12-20',
  '1999-12-25',
  '2000-02-22',
  '9999-12-18',
];

/** The summary shows the last ten years. */
export const MAX_WEEKS = 520;
const states = ['pending', 'shipped', 'delivered', 'cancelled'] as const;
type Counts = Record<(typeof states)[number], bigint>;
type Summary = { orders: Counts; weeks: (Counts & { week: string })[]; stock: Fields[]; revision: bigint };

export function summaryChecks(suite: Suite, context: Context): void {
  const { v2 } = context;
  const { check } = sectionOf(suite, v2, 'summary', 'the summary');
  const read = async () => objectOf(await v2.get('/store/summary')) as unknown as Summary;
  const countOf = (orders: Fields[]) =>
    Object.fromEntries(
      states.map((state) => [state, BigInt(orders.filter(({ status }) => status === state).length)]),
    );

  /** The counts of each week that has orders, oldest first. */
  const weeksOf = (orders: Fields[]) =>
    [...Map.groupBy(orders, ({ shipDate }) => mondayOf(String(shipDate)))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([week, ofWeek]) => ({ week, ...countOf(ofWeek) }));

  check('orders', '`orders` counts the orders of each state, exactly', async () => {
    const { items } = await v2.walk('/store/orders?limit=1000');
    equal((await read()).orders, countOf(items), 'the counts');
  });
  check(
    'weeks',
    '`weeks` counts the orders of the last 520 weeks by the Monday of the week of their `shipDate`',
    async () => {
      const { items } = await v2.walk('/store/orders?limit=1000');
      equal((await read()).weeks, weeksOf(items).slice(-MAX_WEEKS), 'the weeks');
    },
  );
  check('stock', '`stock` lists the stock of every pet', async () => {
    const { items } = await v2.walk('/pets?limit=1000');
    const expected = items.map(({ id, stock }) => ({ petId: id, stock }));
    equal((await read()).stock, expected, 'the stock');
  });
  check('fresh', 'a change is visible immediately, and `revision` increases', async () => {
    const petId = await v2.newPet(5);
    const before = await read();
    const { id } = await v2.place(petId, 2);
    const placed = await read();
    equal(placed.orders.pending, before.orders.pending + 1n, 'pending orders');
    equal(placed.stock.at(-1), { petId, stock: 3n }, 'the stock of the pet');
    ensure(placed.revision > before.revision, `a revision beyond ${before.revision}`, placed.revision);
    expectStatus(await v2.send('DELETE', `/store/orders/${id}`), 204);
    const { orders } = await read();
    equal(orders, { ...before.orders, cancelled: before.orders.cancelled + 1n }, 'the counts after a cancel');
  });
  check(
    'concurrent',
    '“All counts are exact at the returned revision”, also while orders are placed and cancelled',
    async () => {
      const petId = await v2.newPet(100);
      const before = await read();
      const summaries: Summary[] = [];
      const change = async () => {
        for (let count = 0; count < 4; count += 1) {
          const { id } = await v2.place(petId, 2);
          if (count % 2 === 0) expectStatus(await v2.send('DELETE', `/store/orders/${id}`), 204);
        }
      };
      let isChanging = true;
      const watch = async () => {
        while (isChanging) summaries.push(await read());
      };
      const watching = [watch(), watch()];
      await Promise.allSettled([change(), change(), change()]).finally(() => {
        isChanging = false;
      });
      await Promise.all(watching);
      const events = pageOf(await v2.get(`/store/events?after=${before.revision}&limit=1000`)).data;
      for (const { orders, stock, revision } of summaries) {
        const countUntil = (type: string) =>
          BigInt(
            events.filter((event) => event.type === type && BigInt(String(event.id)) <= revision).length,
          );
        const [placed, cancelled] = [countUntil('order.placed'), countUntil('order.cancelled')];
        const where = `GET /v2/store/summary at revision ${revision}`;
        const pending = before.orders.pending + placed - cancelled;
        const expected = { ...before.orders, pending, cancelled: before.orders.cancelled + cancelled };
        equal(orders, expected, 'the counts', where);
        const { stock: units } = stock.find((pet) => pet.petId === petId) ?? {};
        equal(units, 100n - 2n * (placed - cancelled), 'the stock of the pet', where);
      }
    },
  );

  const { check: checkOnStaging } = stagingSection(
    suite,
    context,
    'summary',
    'the summary',
    'post /sandbox/stores',
  );
  checkOnStaging(
    'last-weeks',
    '“the last 520 weeks that have orders”: of 521 weeks, all but the oldest, oldest first',
    async () => {
      const { v2: ofStaging, client } = context.staging ?? context;
      // Every other week has an order.
      const first = Date.parse('2001-01-01T00:00:00.000Z');
      const mondays = Array.from({ length: MAX_WEEKS + 1 }, (_, at) =>
        new Date(first + at * 14 * DAY_MS).toISOString(),
      );
      const orders = mondays.map((shipDate) => ({ petId: 1, quantity: 1, shipDate })).reverse();
      const data = { pets: [{ name: 'Ada', category: 'acceptance', stock: 0 }], orders };
      await using store = await openTemporaryStore(ofStaging, JSON.stringify({ expiresIn: 60, data }));
      const response = await client.send(store.call('GET', '/store/summary'));
      const { weeks } = jsonOf(response) as Summary;
      const counts = { pending: 1n, shipped: 0n, delivered: 0n, cancelled: 0n };
      const expected = mondays.slice(1).map((monday) => ({ week: monday.slice(0, 10), ...counts }));
      equal(weeks, expected, 'the weeks', response.request);
    },
  );
  checkOnStaging(
    'week-of-any-date',
    '“Weeks run from Monday to Sunday in UTC; an order counts in the week of its `shipDate`, a cancelled one as `cancelled`”, in any year',
    async () => {
      const { v2: ofStaging, client } = context.staging ?? context;
      const days = fortnights.flatMap((first) =>
        Array.from({ length: 14 }, (_, at) => new Date(Date.parse(first) + at * DAY_MS).toISOString()),
      );
      const endOf = (day: string) => day.replace('00:00:00.000', '23:59:59.999');
      const loaded = days.flatMap((day) => [
        { petId: 1, quantity: 1, shipDate: day, status: 'cancelled' },
        { petId: 1, quantity: 1, shipDate: endOf(day), status: 'pending' },
      ]);
      const data = {
        pets: [{ id: 1, name: 'Ada', category: 'acceptance', stock: days.length }],
        orders: loaded,
      };
      await using store = await openTemporaryStore(ofStaging, JSON.stringify({ expiresIn: 600, data }));
      const place = (shipDate: string) =>
        client.send(store.call('POST', '/store/orders', JSON.stringify({ petId: 1, quantity: 1, shipDate })));
      for (const day of days) expectStatus(await place(day), 201);
      const orders: Fields[] = [...loaded, ...days.map((shipDate) => ({ shipDate, status: 'pending' }))];
      const response = await client.send(store.call('GET', '/store/summary'));
      const { weeks } = jsonOf(response) as Summary;
      equal(weeks, weeksOf(orders), 'the weeks', response.request);
    },
  );
}
