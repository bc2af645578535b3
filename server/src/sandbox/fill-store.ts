import { Unavailable } from '../database/engine.ts';
import { Slots } from '../database/slots.ts';
import type { Caller } from '../http/server/caller.ts';
import { randomStoreId } from '../orders/open-store.ts';
import type { Writer } from '../writer/writer.ts';
import { type Contents, extentOf } from './data-sets.ts';
import { addOwnOrders, addOwnPets, writeOwnOrder, writeOwnPet } from './own-rows.ts';
import { addPreparedOrders, giveUpPrepared, prepareStore } from './prepare-store.ts';
import { replaceStore } from './replace-store.ts';

/** Rows made by one change: each is short, so that no other change waits long behind it. */
const BATCH = 1_000;
/** Stores of more than that which may be made at a time, and how many of them of one tenant. */
const MOST_LONG = 8;
const MOST_LONG_OF_TENANT = 2;

/** What own data is added to. */
const nothing = { dataSet: 'empty', seed: 1n, orders: 0n, today: 0n } as const;

/** Whose store it is, what it is to hold, and whether nobody waits for it any more. */
interface Filling {
  readonly caller: Pick<Caller, 'storeId' | 'tenantId'>;
  readonly contents: Contents;
  readonly isAbandoned?: () => boolean;
}

export interface Filled {
  readonly orders: bigint;
  readonly pets: bigint;
  readonly revision: bigint;
}

export interface StoreFiller {
  /** Puts a store with these contents in the place of the caller's. */
  reset(filling: Filling): Promise<Filled>;
  /** Makes a store with these contents, beside the caller's; `open` opens it. */
  make(filling: Filling, open: (storeId: bigint) => Promise<{ revision: bigint }>): Promise<Filled>;
}

/**
 * Makes stores step by step, under ids that nobody knows, while everybody is served. Until the last step nothing has
 * happened. Stores that are made at the same time take their steps in turn.
 */
export function storeFiller(writer: Writer, now: () => number): StoreFiller {
  const at = () => BigInt(now());
  const beingReset = new Set<bigint>();
  const longOfTenant = new Slots(MOST_LONG_OF_TENANT);
  let long = 0;
  let lastStep: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = lastStep.then(step);
    lastStep = done.catch(() => {});
    return done;
  };

  async function prepare(storeId: bigint, replaced: bigint | null, { contents, isAbandoned }: Filling) {
    const step = async (change: () => Promise<void>) => {
      if (isAbandoned?.()) throw new Unavailable('nobody waits for the store any more');
      await inTurn(change);
    };
    const { nextOrderId, nextPetId } = extentOf(contents);
    const beginning = contents.dataSet === 'own' ? nothing : contents;
    const prepared = { storeId, replaced, nextOrderId, nextPetId, ...beginning };
    await step(() => writer.apply(prepareStore, { ...prepared, at: at() }));
    if (contents.dataSet === 'own') {
      const { pets, orders } = contents.own;
      for (const some of inBatches(pets)) {
        const rows = `[${some.map(writeOwnPet).join()}]`;
        await step(() => writer.apply(addOwnPets, { storeId, rows, at: at() }));
      }
      for (const some of inBatches(orders)) {
        const rows = `[${some.map(writeOwnOrder).join()}]`;
        const range = { first: some[0]?.id ?? 0n, last: some.at(-1)?.id ?? 0n };
        await step(() => writer.apply(addOwnOrders, { storeId, rows, ...range, at: at() }));
      }
    } else if (contents.dataSet === 'large') {
      const { seed, orders, today } = contents;
      for (let first = 1n; first <= orders; first += BigInt(BATCH)) {
        const last = first + BigInt(BATCH) > orders ? orders : first + BigInt(BATCH) - 1n;
        const some = { storeId, replaced, seed, orders, today, first, last };
        await step(() => writer.apply(addPreparedOrders, { ...some, at: at() }));
      }
    }
  }

  async function fill(
    replaced: bigint | null,
    filling: Filling,
    open: (storeId: bigint) => Promise<{ revision: bigint }>,
  ): Promise<Filled> {
    const { orders, pets } = extentOf(filling.contents);
    const isLong = orders > BATCH || pets > BATCH;
    const end = isLong ? await longOfTenant.take(filling.caller.tenantId) : () => {};
    const storeId = randomStoreId();
    try {
      if (isLong && long >= MOST_LONG) throw new Unavailable('too many large stores are being made');
      if (isLong) long++;
      try {
        await prepare(storeId, replaced, filling);
        return { orders, pets, ...(await open(storeId)) };
      } finally {
        if (isLong) long--;
      }
    } catch (error) {
      // If this fails as well, it is given up by itself some minutes later.
      await writer.apply(giveUpPrepared, { storeId, at: at() }).catch(() => {});
      throw error;
    } finally {
      end();
    }
  }

  return {
    make: (filling, open) => fill(null, filling, open),
    async reset(filling) {
      const { storeId: replaced } = filling.caller;
      if (beingReset.has(replaced)) throw new Unavailable('the store is being reset already');
      beingReset.add(replaced);
      try {
        return await fill(replaced, filling, (by) => writer.apply(replaceStore, { replaced, by, at: at() }));
      } finally {
        beingReset.delete(replaced);
      }
    },
  };
}

function* inBatches<R>(rows: readonly R[]): Iterable<readonly R[]> {
  for (let first = 0; first < rows.length; first += BATCH) yield rows.slice(first, first + BATCH);
}
