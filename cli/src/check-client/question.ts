import type { Exchange } from './wire.ts';

/** What a client is asked to do. */
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

/** What a receiver of webhooks is sent: by the store, by somebody else, or by the store an hour ago. */
export type Delivery = 'signed' | 'same-again' | 'forged' | 'stale' | 'last';

export interface Question {
  readonly id: string;
  /** Ends the sentence "A good client …". */
  readonly ask: string;
  /** How a good client does it. */
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
  /** Another key than the store's own. */
  readonly key?: string;
  /** Orders of which one is cancelled whenever the client reads something. */
  readonly cancelled?: readonly string[];
  /** How many events there are to read, and after how many of them the connection ends. */
  readonly events?: { readonly count: number; readonly cutAfter: number };
  /** `Retry-After` is sent as a date. */
  readonly retryAfterDate?: true;
  readonly deliveries?: readonly Delivery[];
  /** undefined for a pass, or what went wrong. */
  readonly problem: (outcome: Outcome) => string | undefined;
}

/** What came of a question. */
export interface Outcome {
  /** null for a program that did not end by itself. */
  readonly code: number | null;
  /** How it ended, in words: `ended with code 1`. */
  readonly end: string;
  /** The lines that it printed, and what it said besides, on standard error. */
  readonly printed: readonly string[];
  readonly said: string;
  readonly exchanges: readonly Exchange[];
  /** The orders that the store holds afterwards, as v1 lists them. */
  readonly ids: readonly string[];
  /** The ids of what it was to print, where only the stage knows them. */
  readonly expected: readonly string[];
  /** What a receiver answered to each delivery; null where it gave no answer. */
  readonly answers: readonly (number | null)[];
}

export const demonstration = Array.from({ length: 40 }, (_, i) => String(i + 1));
export const counted = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

/** Whether it printed these lines, and no others, and ended well. */
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

/** A failure that is said to be one, or the right result after another try; never a wrong one as if it were right. */
export const saysOrFails = (expected: readonly string[]) => (outcome: Outcome) =>
  outcome.code === 0 || outcome.code === null ? says(expected)(outcome) : undefined;

export const sent = (count: number, { exchanges }: Outcome) =>
  exchanges.length === count ? undefined : `${exchanges.length} requests arrived instead of ${count}`;

export const succeeds = ({ code, end }: Outcome) => (code === 0 ? undefined : `it ${end}`);

/** It must know that it failed: one that hangs does not. */
export const fails = ({ code, end }: Outcome) => (code === 0 || code === null ? `it ${end}` : undefined);

export const placed = ({ ids }: Outcome) => ids.length - demonstration.length;
