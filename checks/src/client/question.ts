import type { Exchange } from '../engine/wire.ts';

/** The task of a client. */
type Task =
  | 'list-orders'
  | 'list-orders-twice'
  | 'list-pages'
  | 'list-pets-twice'
  | 'get-pet'
  | 'get-pet-v1'
  | 'cancel-order'
  | 'place-order'
  | 'watch-events'
  | 'receive-webhooks';

/** Kinds of webhook deliveries: genuine ones, repeated, forged by another sender, or an hour old. */
export type Delivery = 'signed' | 'same-again' | 'forged' | 'stale' | 'last';

export interface Question {
  readonly id: string;
  /** Completes the sentence "A good client …". */
  readonly ask: string;
  /** The expected behavior. */
  readonly good: string;
  readonly task: Task;
  readonly orderId?: string;
  readonly dataSet?: { readonly dataSet: string; readonly orders?: number };
  readonly fault?: {
    readonly operation: string;
    readonly fault: string;
    readonly parameters?: object;
    readonly times?: number | null;
  };
  /** Overrides the store's key. */
  readonly key?: string;
  /** Orders to cancel, one on each request of the client. */
  readonly cancelled?: readonly string[];
  /** Number of events, and after how many the connection is cut. */
  readonly events?: { readonly count: number; readonly cutAfter: number };
  /** Sends `Retry-After` as a date. */
  readonly retryAfterDate?: true;
  readonly deliveries?: readonly Delivery[];
  /** The reason for a failure; undefined on success. */
  readonly problem: (outcome: Outcome) => string | undefined;
}

/** The observed result of a run. */
export interface Outcome {
  /** null if the client was killed. */
  readonly code: number | null;
  /** How it ended: `exited with code 1`. */
  readonly end: string;
  /** Lines of standard output, and the text of standard error. */
  readonly printed: readonly string[];
  readonly said: string;
  readonly exchanges: readonly Exchange[];
  /** Ids of the orders in the store afterwards, as listed by v1. */
  readonly ids: readonly string[];
  /** Ids the client had to print, if they are only known at run time. */
  readonly expected: readonly string[];
  /** The receiver's response status to each delivery; null without a response. */
  readonly answers: readonly (number | null)[];
}

export const demonstration = Array.from({ length: 40 }, (_, i) => String(i + 1));
export const counted = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

/** Expects exactly these lines and exit code 0. */
export const says =
  (expected: readonly string[]) =>
  ({ code, end, printed }: Outcome): string | undefined => {
    if (code !== 0) return `it ${end}`;
    const lines = new Set(printed);
    const missing = expected.find((line) => !lines.has(line));
    if (missing !== undefined) return `it did not print ${missing}`;
    if (printed.length === expected.length) return undefined;
    return `it printed ${printed.length} lines instead of ${expected.length}`;
  };

/** Expects the correct result or a reported failure; never a wrong result with exit code 0. */
export const saysOrFails = (expected: readonly string[]) => (outcome: Outcome) =>
  outcome.code === 0 || outcome.code === null ? says(expected)(outcome) : undefined;

export const sent = (count: number, { exchanges }: Outcome) =>
  exchanges.length === count ? undefined : `it sent ${exchanges.length} requests instead of ${count}`;

export const succeeds = ({ code, end }: Outcome) => (code === 0 ? undefined : `it ${end}`);

/** Expects a reported failure. Hanging does not count. */
export const fails = ({ code, end }: Outcome) => (code === 0 || code === null ? `it ${end}` : undefined);

export const placed = ({ ids }: Outcome) => ids.length - demonstration.length;
