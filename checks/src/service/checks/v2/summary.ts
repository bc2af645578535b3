import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectStatus } from '../../expect.ts';
import { type Fields, mondayOf, objectOf } from '../../v2.ts';
import { sectionOf } from './section.ts';

/** The summary shows the last ten years. */
export const MAX_WEEKS = 520;
const states = ['pending', 'shipped', 'delivered', 'cancelled'] as const;
type Counts = Record<(typeof states)[number], bigint>;
type Summary = { orders: Counts; weeks: (Counts & { week: string })[]; stock: Fields[]; revision: bigint };

export function summaryChecks(suite: Suite, { v2 }: Context): void {
  const { check } = sectionOf(suite, v2, 'summary', 'the summary');
  const read = async () => objectOf(await v2.get('/store/summary')) as unknown as Summary;
  const countOf = (orders: Fields[]) =>
    Object.fromEntries(
      states.map((state) => [state, BigInt(orders.filter(({ status }) => status === state).length)]),
    );

  check('orders', '`orders` counts the orders of each state, exactly', async () => {
    const { items } = await v2.walk('/store/orders?limit=1000');
    equal((await read()).orders, countOf(items), 'the counts');
  });
  check(
    'weeks',
    '`weeks` counts the orders of the last 520 weeks by the Monday of the week of their `shipDate`',
    async () => {
      const { items } = await v2.walk('/store/orders?limit=1000');
      const weeks = Map.groupBy(items, ({ shipDate }) => mondayOf(String(shipDate)));
      const expected = [...weeks]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([week, orders]) => ({ week, ...countOf(orders) }));
      equal((await read()).weeks, expected.slice(-MAX_WEEKS), 'the weeks');
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
}
