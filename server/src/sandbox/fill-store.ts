import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import type { Connection } from '../database/query.ts';
import { DomainError } from '../domain/domain-error.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/caller.ts';
import type { Request } from '../http/server/request.ts';
import { randomStoreId } from '../provisioning/open-store.ts';
import { isOpenStore } from '../stores/find-store.ts';
import { storeIdOf } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';
import type { Contents } from './data-sets.ts';
import { abandonPreparedStore, addRows, prepareStore } from './prepared-stores.ts';

/** Bounds one transaction to less than 50 ms, so that other changes do not wait longer. */
const ROWS_PER_CHANGE = 250;
const LARGE_STORE_ROWS = 1_000;
const HUGE_STORE_ROWS = 100_000;

export type FillStore = ReturnType<typeof storeFiller>;

/** Fills a store that no key refers to yet, in small transactions; `open` then makes it visible. Transactions for all stores run one at a time. */
export function storeFiller(writer: Writer, now: () => number, eraseClosed: () => Promise<void>) {
  const at = () => BigInt(now());
  const resets = keyedSemaphore(1);
  const large = keyedSemaphore(2, 8);
  /** Separate permits: those of a million rows are held for minutes. */
  const huge = keyedSemaphore(1, 4);
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
      if (resets.usage(replacedId).taken > 0)
        throw new ApiError('unavailable', 'A reset of this store is already in progress.');
      permits.use(await resets.acquire(replacedId));
    }
    if (maxRows > LARGE_STORE_ROWS)
      permits.use(await (maxRows > HUGE_STORE_ROWS ? huge : large).acquire(callerOf(request).tenantId));
    const step = (change: () => Promise<void>) => {
      if (request.raw.socket.destroyed) throw new ApiError('unavailable', 'The client disconnected.');
      const done = lastStep.then(change);
      lastStep = done.catch(() => {});
      return done;
    };
    const storeId = randomStoreId();
    try {
      await step(() => writer.apply(prepareStore, { storeId, nextOrderId, nextPetId, at: at() }));
      for (let from = 0; from < maxRows; from += ROWS_PER_CHANGE) {
        const to = from + ROWS_PER_CHANGE;
        const rows = { pets: pets.slice(from, to), orders: orders(from, Math.min(to, orderCount)) };
        await step(() => writer.apply(addRows, { storeId, replacedId, ...rows, at: at() }));
      }
      return await open(storeId);
    } catch (error) {
      // If this fails as well, the prepared store times out.
      await writer.apply(abandonPreparedStore, { storeId, at: at() }).catch(() => {});
      void eraseClosed();
      throw error;
    }
  };
}

/** Wraps a writer: if a reset has just replaced the store, a change fails with `unavailable`, and a retry finds the new store. */
export function withReplacedStoreErrors(db: Connection, writer: Writer): Writer {
  return {
    ...writer,
    apply: (verb, args) =>
      writer.apply(verb, args).catch(async (error) => {
        const isMissing = error instanceof DomainError && error.code === 'not_found';
        const storeId = isMissing ? storeIdOf(args) : undefined;
        const isOpen = storeId === undefined || (await isOpenStore(db, storeId));
        throw isOpen ? error : new ApiError('unavailable');
      }),
  };
}
