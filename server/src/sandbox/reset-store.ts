import { randomStoreId } from '../orders/open-store.ts';
import type { Writer } from '../writer/writer.ts';
import { type DataSet, extentOf } from './data-sets.ts';
import { addPreparedOrders, prepareStore } from './prepare-store.ts';
import { replaceStore } from './replace-store.ts';

/** Orders made by one change: each is short, so that no other change waits long behind it. */
const BATCH = 1_000n;

export type ResetStore = (
  storeId: bigint,
  set: DataSet,
) => Promise<{ orders: bigint; pets: bigint; revision: bigint }>;

/**
 * Replaces a store by one that is prepared beside it, step by step, while everybody is served. Until the last step
 * nothing has happened to the old one. Of those that take long, one is made at a time.
 */
export function storeResetter(writer: Writer, now: () => number): ResetStore {
  const at = () => BigInt(now());
  let lastLarge: Promise<unknown> = Promise.resolve();

  async function prepare(set: DataSet): Promise<bigint> {
    const storeId = randomStoreId();
    await writer.apply(prepareStore, { storeId, ...set, at: at() });
    if (set.dataSet !== 'large') return storeId;
    const { seed, orders } = set;
    for (let first = 1n; first <= orders; first += BATCH) {
      const last = first + BATCH > orders ? orders : first + BATCH - 1n;
      await writer.apply(addPreparedOrders, { storeId, seed, orders, first, last, at: at() });
    }
    return storeId;
  }

  async function reset(storeId: bigint, set: DataSet) {
    const by = await prepare(set);
    const { revision } = await writer.apply(replaceStore, { replaced: storeId, by, at: at() });
    const { orders, pets } = extentOf(set);
    return { orders, pets, revision };
  }

  return (storeId, set) => {
    if (set.dataSet !== 'large') return reset(storeId, set);
    const made = lastLarge.then(() => reset(storeId, set));
    lastLarge = made.catch(() => {});
    return made;
  };
}
