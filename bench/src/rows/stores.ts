import { memoizeAsync } from '../../../server/src/concurrency/memoize-async.ts';
import { folder } from '../processes.ts';
import { seed } from '../subjects/petstore.ts';

/** One order in ten is cancelled and not in v1's list, which has 100 or 1,000,000. */
const SMALL = 113;
const LARGE = 1_111_086;

/** Two SQLite databases, each with a store, and the stores' keys. */
export const smallStore = memoizeAsync(() => storeWith(SMALL));
export const largeStore = memoizeAsync(() => storeWith(LARGE));

async function storeWith(orders: number) {
  const place = { engine: 'sqlite', data: folder(`store-of-${orders}`) } as const;
  return { place, key: await seed(place, orders) };
}
