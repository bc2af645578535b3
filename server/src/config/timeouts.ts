const defaults = {
  /** For a change to leave the queue of its store. */
  queueTimeoutMs: 5_000,
  /** To acquire a permit of a semaphore. */
  acquireTimeoutMs: 5_000,
  /** To get the lock on an SQLite file. */
  busyTimeoutMs: 5_000,
  /** For an export or import to lock its database. */
  transferLockTimeoutMs: 10_000,
  /** To get a connection to PostgreSQL, new or from a pool. */
  connectTimeoutMs: 5_000,
  /** For one call to SQLite; longer than `busyTimeoutMs`. */
  callTimeoutMs: 7_000,
  /** For one attempt to send a webhook message. */
  attemptTimeoutMs: 15_000,
  /** A process whose event loop is blocked for this long is killed. */
  hangTimeoutMs: 10_000,
  /** To shut down, after the drain. */
  stopTimeoutMs: 15_000,
  /** To write the last lines of the log. */
  flushTimeoutMs: 1_000,
};

/** Read at each use. Tests override those that they would have to wait for. */
export const timeouts: Readonly<typeof defaults> = {
  ...defaults,
  ...JSON.parse(process.env.PETSTORE_TIMEOUTS ?? '{}'),
};
