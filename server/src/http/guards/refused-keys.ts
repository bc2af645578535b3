import { hashKey } from '../../key-format.ts';
import { ApiError } from '../errors.ts';

/** Keys of one client address that may be refused in a minute: each costs a look into the database. */
const MOST_REFUSED_KEYS = 600;
const MINUTE_MS = 60_000;
/** Addresses that are counted apart; those beyond them are counted as one. */
const MOST_ADDRESSES = 50_000;
/** Keys that worked lately, for which the limit of their address does not stand in the way. */
const MOST_WORKING = 10_000;

/**
 * Counts keys that look right and are not, by client address, so that making them up is limited before each costs a
 * look-up. A key that worked while its address was counted is looked up all the same, and may be refused by then.
 */
export class RefusedKeys {
  readonly #most: number;
  #counts = new Map<string, number>();
  #countedSince = 0;
  /** By their hashes, the latest last. */
  readonly #working = new Set<string>();

  constructor(most = MOST_REFUSED_KEYS) {
    this.#most = most;
  }

  /** Refuses a key of an address that had too many refused. */
  check(address: string, key: string): void {
    const waited = performance.now() - this.#countedSince;
    if (waited >= MINUTE_MS) this.#counts = new Map();
    else if (this.#count(address) >= this.#most && !this.#working.has(hashKey(key))) {
      const seconds = Math.ceil((MINUTE_MS - waited) / 1000);
      const message = 'Too many keys from this address were refused; see Retry-After.';
      throw new ApiError('rate_limited', message, ['retry-after', String(seconds)]);
    }
  }

  refused(address: string): void {
    if (this.#counts.size === 0) this.#countedSince = performance.now();
    const name = this.#nameOf(address);
    this.#counts.set(name, this.#count(address) + 1);
  }

  worked(key: string): void {
    if (this.#counts.size === 0) return;
    const hash = hashKey(key);
    this.#working.delete(hash);
    this.#working.add(hash);
    if (this.#working.size > MOST_WORKING)
      this.#working.delete(this.#working.values().next().value as string);
  }

  #count(address: string): number {
    return this.#counts.get(this.#nameOf(address)) ?? 0;
  }

  #nameOf(address: string): string {
    return this.#counts.has(address) || this.#counts.size < MOST_ADDRESSES ? address : 'others';
  }
}
