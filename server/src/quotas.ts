/** For a quota that is turned off. */
export const NO_QUOTA = 2n ** 63n - 1n;

/** How much one store, or one client address, may have. */
export interface Quotas {
  /** Working keys of a store; those of console sessions count apart. */
  readonly keys: bigint;
  /** Pets and orders of a store: beyond them, the API adds none. */
  readonly pets: bigint;
  readonly orders: bigint;
  /** Idempotency keys that are remembered for a store: beyond them, the oldest are forgotten. */
  readonly idempotencyKeys: bigint;
  /** Stores that one client address may open in a day. */
  readonly newStores: bigint;
}

/** `newStores` holds where the service listens beyond loopback. */
export const defaultQuotas: Quotas = {
  keys: 100n,
  pets: 10_000n,
  orders: 1_000_000n,
  idempotencyKeys: 100_000n,
  newStores: 20n,
};
