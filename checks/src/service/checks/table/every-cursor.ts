import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus } from '../../expect.ts';
import { idsOf, type Order, objectOf, orderSorts, type Page, pageOf } from '../../v2.ts';
import { createSampleOrders, dates } from '../v2/sample-orders.ts';

/** Every cursor with every other filter and sort of its list. */
export function everyCursorChecks(suite: Suite, context: Context): void {
  const { check } = suite.section('all.lists', 'Every page of every list');
  const { v2 } = context;

  /** Expects the cursor of each selection to continue that selection, and to be rejected with any other. */
  const expectOwnCursors = async (path: string, selections: readonly string[]) => {
    let cursors = 0;
    for (const selection of selections) {
      const get = (query: string, cursor = '') => v2.get(`${path}?limit=1${query && `&${query}`}${cursor}`);
      const { nextCursor } = pageOf(await get(selection));
      if (nextCursor === null) continue;
      cursors += 1;
      expectStatus(await get(selection, `&cursor=${nextCursor}`), 200);
      for (const other of selections.filter((one) => one !== selection))
        expectError(await get(other, `&cursor=${nextCursor}`), 400, 'invalid_cursor');
    }
    ensure(cursors > selections.length / 2, 'cursors of most selections', cursors, `GET ${path}`);
  };

  check(
    'other-filters',
    '“Each cursor belongs to one store, set of filters and sort order”: with another one it is 400',
    async () => {
      await v2.require();
      const { petId } = await createSampleOrders(v2);
      const { early, middle, later, last } = dates;
      const orderFilters = [
        'status=pending',
        'status=pending,shipped',
        'complete=false',
        `shipDateFrom=${early}`,
        `shipDateFrom=${middle}`,
        `shipDateTo=${later}`,
        `shipDateTo=${last}`,
        'sort=-id',
        'sort=shipDate',
        'sort=-shipDate',
      ];
      const pet = `petId=${petId}`;
      await expectOwnCursors('/store/orders', [
        pet,
        ...orderFilters.map((filter) => `${pet}&${filter}`),
        'status=pending',
      ]);

      const [first, second] = [`cursors ${petId}`, `other cursors ${petId}`];
      for (const category of [first, second])
        for (const stock of [1, 1, 0, 0]) {
          const body = JSON.stringify({ name: 'Ada', category, stock });
          const { id } = objectOf(await v2.send('POST', '/pets', body), 201);
          v2.onCleanUp(() => v2.send('PATCH', `/pets/${id}`, '{"stock":0}'));
        }
      const ofCategory = (category: string) => `category=${encodeURIComponent(category)}`;
      const statuses = ['status=available', 'status=sold'];
      const petFilters = [first, second].flatMap((category) => [
        ofCategory(category),
        ...statuses.map((status) => `${ofCategory(category)}&${status}`),
      ]);
      await expectOwnCursors('/pets', ['', ...statuses, ...petFilters]);
    },
  );
  check(
    'leaving',
    '“every order that exists for the whole iteration is returned exactly once, even if orders are placed or cancelled”',
    async () => {
      await v2.require();
      const petId = await v2.newPet(100);
      const { early, middle, later } = dates;
      for (const date of [middle, later, middle, later, middle, later, middle])
        await v2.place(petId, 1, date);
      for (const [sort, compare] of Object.entries(orderSorts)) {
        const path = `/store/orders?petId=${petId}&status=pending&sort=${sort}`;
        const before = pageOf(await v2.get(path)).data as Order[];
        const found: unknown[] = [];
        let next: string | null = '';
        for (let count = 0; next !== null && count < 9; count += 1) {
          const page: Page = pageOf(await v2.get(`${path}&limit=2${next && `&cursor=${next}`}`));
          found.push(...idsOf(page.data));
          next = page.nextCursor;
          if (count > 0) continue;
          // An order that was returned leaves the list; new ones come first or last.
          expectStatus(await v2.send('DELETE', `/store/orders/${found[0]}`), 204);
          for (const date of [early, '2031-04-01T00:00:00.000Z']) await v2.place(petId, 1, date);
        }
        const expected = idsOf(before.toSorted(compare));
        equal(
          found.filter((id) => expected.includes(id)),
          expected,
          'the orders',
          `GET ${path}`,
        );
        equal(new Set(found).size, found.length, 'the number of distinct orders:', `GET ${path}`);
      }
    },
  );
}
