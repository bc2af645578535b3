import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/caller.ts';
import type { Request } from '../http/server/request.ts';
import { randomStoreId } from '../provisioning/open-store.ts';
import type { Writer } from '../writer/writer.ts';
import type { Contents } from './data-sets.ts';
import { abandonPreparedStore, addRows, prepareStore } from './prepared-stores.ts';

/** Rows added by one change: no other change waits for 50 ms behind it. */
const ROWS_IN_A_CHANGE = 250;
/** Of stores with more rows than this, so many may be made at a time, in all and for one tenant. */
const LARGE = 1_000;
const MAX_LARGE = 8;
const MAX_LARGE_PER_TENANT = 2;

const unavailable = (why: string) => new ApiError('unavailable', why);

export type FillStore = ReturnType<typeof storeFiller>;

/** Makes stores under ids that nobody knows, in steps that they take in turn: until the last one nothing has happened. */
export function storeFiller(writer: Writer, now: () => number, eraseClosed: () => Promise<void>) {
  const at = () => BigInt(now());
  const resets = keyedSemaphore(1);
  const large = keyedSemaphore(MAX_LARGE_PER_TENANT, MAX_LARGE);
  let lastStep: Promise<unknown> = Promise.resolve();

  return async <T>(
    request: Request,
    { pets, orders, orderCount, nextOrderId, nextPetId }: Contents,
    replacedId: bigint | null,
    open: (preparedId: bigint) => Promise<T>,
  ): Promise<T> => {
    const maxRows = Math.max(pets.length, orderCount);
    using permits = new DisposableStack();
    if (replacedId !== null) {
      if (resets.count(replacedId).taken > 0) throw unavailable('The store is being reset already.');
      permits.use(await resets.acquire(replacedId));
    }
    if (maxRows > LARGE) permits.use(await large.acquire(callerOf(request).tenantId));
    const step = (change: () => Promise<void>) => {
      if (request.raw.socket.destroyed) throw unavailable('Nobody waits for the store any more.');
      const done = lastStep.then(change);
      lastStep = done.catch(() => {});
      return done;
    };
    const storeId = randomStoreId();
    try {
      await step(() => writer.apply(prepareStore, { storeId, nextOrderId, nextPetId, at: at() }));
      for (let from = 0; from < maxRows; from += ROWS_IN_A_CHANGE) {
        const to = from + ROWS_IN_A_CHANGE;
        const rows = { pets: pets.slice(from, to), orders: orders(from, Math.min(to, orderCount)) };
        await step(() => writer.apply(addRows, { storeId, replacedId, ...rows, at: at() }));
      }
      return await open(storeId);
    } catch (error) {
      // If this fails as well, it is given up by itself some minutes later.
      await writer.apply(abandonPreparedStore, { storeId, at: at() }).catch(() => {});
      void eraseClosed();
      throw error;
    }
  };
}
