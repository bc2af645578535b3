export const NO_QUOTA = 2n ** 63n - 1n;
/** Ids that a client chose are not counted by `next_…_id`: a store has at most this many rows beyond it. */
export const MAX_CLIENT_CHOSEN_IDS = 10_000n;

export const defaultQuotas = {
  /** Those of console sessions count apart. */
  keys: 100n,
  pets: 10_000n,
  orders: 1_000_000n,
  webhooks: 10n,
  /** Beyond them, the oldest are forgotten. */
  idempotencyKeys: 100_000n,
  /** Holds where the service listens beyond loopback. */
  newStores: 20n,
};

export type Quotas = Readonly<typeof defaultQuotas>;
