import { LRUCache } from 'lru-cache';
import { hashKey } from '../domain/key-format.ts';
import { ApiError } from '../http/errors.ts';

/** Per minute and address. Looking up a rejected key costs a database read. */
const MAX_REJECTED_KEYS = 600;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 50_000;
const MAX_ACCEPTED = 10_000;

/** `maxSize` instead of `max`, which would allocate memory in advance. */
const cache = <T extends NonNullable<unknown>>(max: number) =>
  new LRUCache<string, T>({ maxSize: max, sizeCalculation: () => 1 });

/** Limits requests with well-formed but unknown keys. Recently accepted keys are exempt. */
export class RejectedKeys {
  #minute = performance.now();
  readonly #counts = cache<number>(MAX_ADDRESSES);
  readonly #accepted = cache<true>(MAX_ACCEPTED);

  check(address: string, key: string): void {
    const elapsed = performance.now() - this.#minute;
    if (elapsed >= MINUTE_MS) {
      this.#minute += elapsed;
      this.#counts.clear();
    }
    const count = this.#counts.get(address) ?? 0;
    if (count < MAX_REJECTED_KEYS || this.#accepted.has(hashKey(key))) return;
    const message = 'Too many rejected keys from this address; see Retry-After.';
    const seconds = Math.ceil((MINUTE_MS - elapsed) / 1000);
    throw new ApiError('rate_limited', message, ['retry-after', String(seconds)]);
  }

  recordRejected(address: string): void {
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
  }

  recordAccepted(key: string): void {
    this.#accepted.set(hashKey(key), true);
  }
}
