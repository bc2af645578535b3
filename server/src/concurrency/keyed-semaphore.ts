import { timeouts } from '../config/timeouts.ts';
import { DomainError } from '../domain/domain-error.ts';

interface Waiter {
  readonly key: bigint;
  readonly grant: () => void;
}

/**
 * Keyed semaphore: a limit per key, such as a tenant, and one overall. Waiters wait for both at once, with one timeout.
 * The key with the fewest permits is next, so that no key waits behind all waiters of another.
 */
export function keyedSemaphore(limitPerKey: number, overallLimit = Number.POSITIVE_INFINITY) {
  const acquiredByKey = new Map<bigint, number>();
  const waiters = new Set<Waiter>();
  let acquired = 0;
  const count = (key: bigint) => acquiredByKey.get(key) ?? 0;
  const hasCapacity = (key: bigint) => count(key) < limitPerKey && acquired < overallLimit;

  function take(key: bigint): void {
    acquiredByKey.set(key, count(key) + 1);
    acquired++;
  }

  function nextWaiter(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of waiters)
      if (hasCapacity(waiter.key) && (!next || count(waiter.key) < count(next.key))) next = waiter;
    return next;
  }

  function release(key: bigint): void {
    const left = count(key) - 1;
    if (left > 0) acquiredByKey.set(key, left);
    else acquiredByKey.delete(key);
    acquired--;
    const waiter = nextWaiter();
    if (!waiter) return;
    take(waiter.key);
    waiter.grant();
  }

  function queue(key: bigint): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = {
        key,
        grant() {
          clearTimeout(timeout);
          waiters.delete(waiter);
          resolve();
        },
      };
      const timeout = setTimeout(() => {
        waiters.delete(waiter);
        reject(new DomainError('unavailable'));
      }, timeouts.acquireTimeoutMs);
      waiters.add(waiter);
    });
  }

  return {
    usage(key: bigint) {
      const waiting = waiters.values().filter((waiter) => waiter.key === key);
      return { taken: count(key), waiting: [...waiting].length };
    },
    async acquire(key: bigint): Promise<Disposable> {
      if (hasCapacity(key)) take(key);
      else await queue(key);
      using permit = new DisposableStack();
      permit.defer(() => release(key));
      return permit.move();
    },
  };
}
