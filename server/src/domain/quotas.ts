export const NO_QUOTA = 2n ** 63n - 1n;
/** Limit, per store, of ids that clients choose in the sandbox. Id counters may not include these. */
export const MAX_CLIENT_CHOSEN_IDS = 10_000n;

export const defaultQuotas = {
  /** Keys of console sessions are not counted. */
  keys: 100n,
  pets: 10_000n,
  orders: 1_000_000n,
  webhooks: 10n,
  /** Beyond it, the oldest are deleted. */
  idempotencyKeys: 100_000n,
  /** Per client address and day, unless the service listens on loopback. */
  newStores: 20n,
};

export type Quotas = Readonly<typeof defaultQuotas>;
