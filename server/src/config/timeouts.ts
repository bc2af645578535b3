const defaults = {
  /** Of a change in the queue of its store. */
  queueTimeoutMs: 5_000,
  /** Of a semaphore. */
  acquireTimeoutMs: 5_000,
  /** Of a lock on an SQLite file. */
  busyTimeoutMs: 5_000,
  /** Of an export's or import's locks on a database. */
  transferLockTimeoutMs: 10_000,
  /** Of a connection to PostgreSQL, new or from a pool. */
  connectTimeoutMs: 5_000,
  /** Of one call to an embedded database; longer than `busyTimeoutMs`. */
  callTimeoutMs: 7_000,
  /** Of one attempt to send a webhook message. */
  attemptTimeoutMs: 15_000,
  /** Of an event loop that makes no progress. */
  hangTimeoutMs: 10_000,
  /** Of a stop, after the drain. */
  stopTimeoutMs: 15_000,
  /** Of writing the last lines of the log. */
  flushTimeoutMs: 1_000,
};

/** Read at each use. Tests override those that they would have to wait for. */
export const timeouts: Readonly<typeof defaults> = {
  ...defaults,
  ...JSON.parse(process.env.PETSTORE_TIMEOUTS ?? '{}'),
};
