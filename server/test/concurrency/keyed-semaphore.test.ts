import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keyedSemaphore } from '../../src/concurrency/keyed-semaphore.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('waits for the limit of its key and the overall limit within one timeout of five seconds', async () => {
  const semaphore = keyedSemaphore(1, 1);
  const first = await semaphore.acquire(1n);
  const outcomes: string[] = [];
  const acquire = (key: bigint) =>
    semaphore.acquire(key).then(
      () => outcomes.push(`${key} acquired`),
      ({ code }) => outcomes.push(`${key} ${code}`),
    );
  void acquire(2n);
  void acquire(1n);
  // The key has capacity again, but the overall limit goes to the longest waiter.
  await vi.advanceTimersByTimeAsync(4_900);
  first[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(99);
  expect(outcomes).toEqual(['2 acquired']);
  await vi.advanceTimersByTimeAsync(1);
  expect(outcomes).toEqual(['2 acquired', '1 unavailable']);
  expect(semaphore.usage(1n)).toEqual({ taken: 0, waiting: 0 });
});

it('serves the key with the fewest permits next, however many waiters of another came first', async () => {
  const semaphore = keyedSemaphore(4, 2);
  const [first] = [await semaphore.acquire(1n), await semaphore.acquire(1n)];
  const acquired: bigint[] = [];
  const acquire = (key: bigint) => semaphore.acquire(key).then(() => acquired.push(key));
  for (const key of [1n, 1n, 1n, 2n]) void acquire(key);
  first[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(0);
  expect(acquired).toEqual([2n]);
});
