import { memoizeAsync } from '../../../server/src/concurrency/memoize-async.ts';
import { folder } from '../processes.ts';
import { seed } from '../subjects/petstore.ts';

/** v1 lists 100 or 1,000,000 of them: one order in ten is cancelled. */
const SMALL = 113;
const LARGE = 1_111_086;

export const smallStore = memoizeAsync(() => storeWith(SMALL));
export const largeStore = memoizeAsync(() => storeWith(LARGE));

async function storeWith(orders: number) {
  const place = { engine: 'sqlite', data: folder(`store-of-${orders}`) } as const;
  return { place, key: await seed(place, orders) };
}
