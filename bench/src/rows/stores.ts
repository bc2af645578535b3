import { memoizeAsync } from '../../../server/src/concurrency/memoize-async.ts';
import { createFolder } from '../processes.ts';
import { seed } from '../subjects/petstore.ts';

/** v1 lists 100 or 1,000,000 of them: one order in ten is cancelled. */
const SMALL = 113;
const LARGE = 1_111_086;

export const smallStore = memoizeAsync(() => seedStore(SMALL));
export const largeStore = memoizeAsync(() => seedStore(LARGE));

async function seedStore(orders: number) {
  const place = { engine: 'sqlite', data: createFolder(`store-of-${orders}`) } as const;
  return { place, key: await seed(place, orders) };
}
