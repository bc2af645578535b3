import { memoizeAsync } from '../../../server/src/concurrency/memoize-async.ts';
import { createFolder } from '../processes.ts';
import { seed } from '../subjects/petstore.ts';

/** v1 omits cancelled orders, one in ten: it lists 100 or 1,000,000 of these. */
export const SMALL = 113;
const LARGE = 1_111_086;

export const smallStore = memoizeAsync(() => seedStore(SMALL));
export const largeStore = memoizeAsync(() => seedStore(LARGE));

export async function seedStore(orders: number) {
  const location = { engine: 'sqlite', data: createFolder(`store-of-${orders}`) } as const;
  return { location, key: await seed(location, orders) };
}
