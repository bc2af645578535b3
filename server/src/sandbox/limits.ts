/** Orders that a `large` store can have, and has by default. */
export const MOST_ORDERS = 1_000_000;
export const DEFAULT_ORDERS = 10_000;

/** Pets and orders each that data of one’s own can have, and its bytes. */
export const MOST_OWN = 10_000;
export const MOST_OWN_BYTES = 4 * 1024 * 1024;

/** Stores that may be open beside another at a time, and how many seconds each lasts. */
export const MOST_BESIDE = 100n;
export const SHORTEST_STORE = 60;
export const LONGEST_STORE = 86_400;
export const USUAL_STORE = 3_600;

/** Days that data can be dated from: every date is then in a year of four digits. */
export const FIRST_TODAY = 0n;
export const LAST_TODAY = BigInt(Date.parse('9998-12-31T00:00:00Z'));

/** Faults that can be armed at once, and how often one can be asked to fire. */
export const MOST_FAULTS = 20;
export const MOST_TIMES = 1_000_000;

/** The longest that a client can be asked to wait, in seconds. */
export const MOST_RETRY_AFTER = 3_600;

/** The longest that an answer can be held back, in milliseconds. */
export const MOST_MS = 30_000;

/** The latest moment that a request can prefer: what is counted on from there is still in a year of four digits. */
export const LATEST_NOW = Date.parse('9999-01-01T00:00:00Z');
