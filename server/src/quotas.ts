export const NO_QUOTA = 2n ** 63n - 1n;

export interface Quotas {
  /** Those of console sessions count apart. */
  readonly keys: bigint;
  readonly pets: bigint;
  readonly orders: bigint;
  /** Beyond them, the oldest are forgotten. */
  readonly idempotencyKeys: bigint;
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
