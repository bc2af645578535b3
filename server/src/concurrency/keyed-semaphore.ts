import { timeouts } from '../config/timeouts.ts';
import { DomainError } from '../domain/domain-error.ts';

interface Waiter {
  readonly key: bigint;
  readonly grant: () => void;
}

/** Keyed semaphore: a limit per key, such as a tenant, and one overall. Waiters queue for both at once, until one timeout. */
export function keyedSemaphore(limitPerKey: number, overallLimit = Number.POSITIVE_INFINITY) {
  const acquiredByKey = new Map<bigint, number>();
  const waiters = new Set<Waiter>();
  let acquired = 0;

  function tryAcquire(key: bigint): boolean {
    const ofKey = acquiredByKey.get(key) ?? 0;
    if (ofKey >= limitPerKey || acquired >= overallLimit) return false;
    acquiredByKey.set(key, ofKey + 1);
    acquired++;
    return true;
  }

  function release(key: bigint): void {
    const left = (acquiredByKey.get(key) ?? 1) - 1;
    if (left > 0) acquiredByKey.set(key, left);
    else acquiredByKey.delete(key);
    acquired--;
    for (const waiter of waiters) if (tryAcquire(waiter.key)) waiter.grant();
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
    count(key: bigint) {
      const waiting = waiters.values().filter((waiter) => waiter.key === key);
      return { taken: acquiredByKey.get(key) ?? 0, waiting: [...waiting].length };
    },
    async acquire(key: bigint): Promise<Disposable> {
      if (!tryAcquire(key)) await queue(key);
      using permit = new DisposableStack();
      permit.defer(() => release(key));
      return permit.move();
    },
  };
}
