import { LRUCache } from 'lru-cache';
import { hashKey } from '../domain/key-format.ts';
import { ApiError } from '../http/errors.ts';

/** Each costs a look into the database. */
const MAX_REJECTED_KEYS = 600;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 50_000;
const MAX_WORKING = 10_000;

/** As many as were used last. Told as a size, their number takes no memory before they are there. */
const newest = <T extends NonNullable<unknown>>(most: number) =>
  new LRUCache<string, T>({ maxSize: most, sizeCalculation: () => 1 });

/** Limits keys that look right and are not. A key that worked lately is looked up all the same. */
export class RejectedKeys {
  #minute = performance.now();
  readonly #counts = newest<number>(MAX_ADDRESSES);
  readonly #working = newest<true>(MAX_WORKING);

  check(address: string, key: string): void {
    const waited = performance.now() - this.#minute;
    if (waited >= MINUTE_MS) {
      this.#minute += waited;
      this.#counts.clear();
    }
    const count = this.#counts.get(address) ?? 0;
    if (count < MAX_REJECTED_KEYS || this.#working.has(hashKey(key))) return;
    const message = 'Too many keys from this address were refused; see Retry-After.';
    const seconds = Math.ceil((MINUTE_MS - waited) / 1000);
    throw new ApiError('rate_limited', message, ['retry-after', String(seconds)]);
  }

  rejected(address: string): void {
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
  }

  worked(key: string): void {
    this.#working.set(hashKey(key), true);
  }
}
