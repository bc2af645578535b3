const defaults = {
  /** Of a change in the queue of its store. */
  queueTimeoutMs: 5_000,
  /** Of one call to an embedded database; longer than a call itself waits for a locked file. */
  callTimeoutMs: 7_000,
  /** Of an event loop that makes no progress. */
  hangTimeoutMs: 10_000,
  /** Of a stop, after the drain. */
  stopTimeoutMs: 15_000,
  /** Of writing the last lines of the log. */
  flushTimeoutMs: 1_000,
};

/** Time limits of a service. Tests of the program set those that they would have to wait for. */
export const timeouts: Readonly<typeof defaults> = {
  ...defaults,
  ...JSON.parse(process.env.PETSTORE_TIMEOUTS ?? '{}'),
};
