/** Times in milliseconds, and sizes. Tests reduce them. */
export interface Settings {
  /** Until the gateway responds for the first time. */
  readonly startTimeout: number;
  /** Until the client has received a response that the origin sends at once. */
  readonly responseTimeout: number;
  /** Until the gateway gives up on an origin that never responds. */
  readonly originTimeout: number;
  /** Maximum duration of a question (`--timeout`); longer ones are not tried. */
  readonly limit: number;
  /** How long a late response takes: the service takes up to seven seconds. */
  readonly responseDelay: number;
  /** Between the comments of a quiet event stream. */
  readonly commentInterval: number;
  /** Until the client receives an event. */
  readonly eventTimeout: number;
  /** Until the origin notices that a client left. */
  readonly disconnectTimeout: number;
  /** Between the end of an idle origin connection and the next request. */
  readonly idle: number;
  /** Until a restarted origin is used again. */
  readonly recovery: number;
  /** Simultaneous connections. */
  readonly clients: number;
  /** Size of the large list, in pieces of 100 KB. */
  readonly pieces: number;
}

const defaults: Settings = {
  startTimeout: 60_000,
  responseTimeout: 20_000,
  originTimeout: 70_000,
  limit: 150_000,
  responseDelay: 8_000,
  commentInterval: 15_000,
  eventTimeout: 1_000,
  disconnectTimeout: 10_000,
  idle: 400,
  recovery: 15_000,
  clients: 1_000,
  pieces: 1_000,
};

/** With `--timeout`: the maximum of each wait. */
export function settingsFor(seconds: number | undefined): Settings {
  if (seconds === undefined) return defaults;
  const limit = seconds * 1000;
  const { startTimeout, responseTimeout, originTimeout } = defaults;
  return {
    ...defaults,
    limit,
    startTimeout: Math.min(startTimeout, limit),
    responseTimeout: Math.min(responseTimeout, limit),
    // A longer `--timeout` allows a gateway more time to give up.
    originTimeout: Math.max(originTimeout, limit),
  };
}
