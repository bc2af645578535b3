import { Unavailable } from '../database/engine.ts';
import type { Caller } from '../http/server/caller.ts';
import { randomStoreId } from '../orders/open-store.ts';
import type { Writer } from '../writer/writer.ts';
import { type DataSet, extentOf } from './data-sets.ts';
import { addPreparedOrders, giveUpPrepared, prepareStore } from './prepare-store.ts';
import { replaceStore } from './replace-store.ts';

/** Orders made by one change: each is short, so that no other change waits long behind it. */
const BATCH = 1_000n;
/** Resets of more than that which may be under way at a time; of one tenant, there is never more than one. */
const MOST_LONG = 8;

export type ResetStore = (
  store: Pick<Caller, 'storeId' | 'tenantId'>,
  set: DataSet,
  /** Whether nobody waits for it any more. */
  isAbandoned?: () => boolean,
) => Promise<{ orders: bigint; pets: bigint; revision: bigint }>;

/**
 * Replaces a store by one that is prepared beside it, step by step, while everybody is served. Until the last step
 * nothing has happened to the old one. Resets that are under way together take their steps in turn.
 */
export function storeResetter(writer: Writer, now: () => number): ResetStore {
  const at = () => BigInt(now());
  /** By tenant, whether it is a long one. */
  const underWay = new Map<bigint, boolean>();
  let lastStep: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = lastStep.then(step);
    lastStep = done.catch(() => {});
    return done;
  };

  async function prepare(storeId: bigint, replaced: bigint, set: DataSet, isAbandoned: () => boolean) {
    await inTurn(() => writer.apply(prepareStore, { storeId, replaced, ...set, at: at() }));
    if (set.dataSet !== 'large') return;
    const { seed, orders, today } = set;
    for (let first = 1n; first <= orders; first += BATCH) {
      if (isAbandoned()) throw new Unavailable('nobody waits for the reset any more');
      const last = first + BATCH > orders ? orders : first + BATCH - 1n;
      const some = { storeId, replaced, seed, orders, today, first, last };
      await inTurn(() => writer.apply(addPreparedOrders, { ...some, at: at() }));
    }
  }

  async function reset(replaced: bigint, set: DataSet, isAbandoned: () => boolean) {
    const by = randomStoreId();
    try {
      await prepare(by, replaced, set, isAbandoned);
      const { revision } = await writer.apply(replaceStore, { replaced, by, at: at() });
      const { orders, pets } = extentOf(set);
      return { orders, pets, revision };
    } catch (error) {
      // If this fails as well, it is given up by itself some minutes later.
      await writer.apply(giveUpPrepared, { storeId: by, at: at() }).catch(() => {});
      throw error;
    }
  }

  return async ({ storeId, tenantId }, set, isAbandoned = () => false) => {
    if (underWay.has(tenantId)) throw new Unavailable('the store is being reset already');
    const isLong = set.dataSet === 'large' && set.orders > BATCH;
    if (isLong && [...underWay.values()].filter(Boolean).length >= MOST_LONG)
      throw new Unavailable('too many large stores are being made');
    underWay.set(tenantId, isLong);
    try {
      return await reset(storeId, set, isAbandoned);
    } finally {
      underWay.delete(tenantId);
    }
  };
}
