import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, expectError, expectStatus } from '../../expect.ts';
import { objectOf, pageOf } from '../../v2.ts';
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
}
