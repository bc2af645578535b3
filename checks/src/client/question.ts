import type { Operation } from '../bugs/operations.ts';
import type { Exchange } from '../engine/wire.ts';
import type { Delivery } from './deliveries.ts';

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
  | 'place-two-orders'
  | 'watch-events'
  | 'receive-webhooks';

/** What is sent of an event before the connection is cut. */
export type CutPoint = 'after its id' | 'within its id' | 'within its data';

/** How the names of response headers are written. */
export type HeaderCase = 'upper' | 'lower' | 'title';

/** The situation that a run of the client faces. */
interface Setup {
  readonly orderId?: string;
  /** The body of a reset. */
  readonly dataSet?: { readonly dataSet: string; readonly orders?: number } | { readonly data: object };
  /** Lines the client has to print. */
  readonly expected?: readonly string[];
  /** Skips the reset: the round starts with the store that the previous one left. */
  readonly keepStore?: true;
  readonly fault?: {
    readonly operation: string;
    readonly fault: string;
    readonly parameters?: object;
    readonly times?: number | null;
  };
  /** The fault begins with the first request whose path matches. By default, with the first one of the operation. */
  readonly faultAt?: RegExp;
  /** Overrides the store's key. */
  readonly key?: string;
  /** The nth order is cancelled before the nth request of the operation is forwarded; undefined cancels none. */
  readonly cancelBefore?: ReadonlyArray<string | undefined>;
  /** The stream has `count` events. The connection is cut once, within the event that follows the first `cutAfter`. */
  readonly events?: { readonly count: number; readonly cutAfter: number; readonly cut: CutPoint };
  /** Sends `Retry-After` as a date, this number of seconds from now. */
  readonly retryAfterDate?: number;
  /** The client's time zone, as `TZ`. */
  readonly timeZone?: string;
  readonly headerCase?: HeaderCase;
  /** Replaces the date in `Sunset`; without a date, removes `Sunset`, `Deprecation` and `Link`. */
  readonly sunset?: { readonly date?: string };
  /** Writes the JSON object with other whitespace, order and escapes. */
  readonly unusualJson?: true;
  /** The first page has half of the orders that the client asked for. */
  readonly shortPages?: true;
  /** Adds a field of this name to the JSON object. */
  readonly addedField?: string;
  /** The first request of the operation gets no response, or only the beginning of one. */
  readonly silentOnce?: 'before the response' | 'within the body';
  /** Replaces the first cursor that the client sends with one that the service rejects. */
  readonly expiredCursor?: true;
  readonly deliveries?: readonly Delivery[];
}

export interface Question extends Setup {
  readonly id: string;
  /** What a correct client does: `lists the orders`. */
  readonly requirement: string;
  /** How to do it, and why it matters. */
  readonly hint: string;
  readonly task: Task;
  /** Faults and expectations apply to requests of this operation only. */
  readonly operation: Operation | 'webhooks';
  /** The client may fail without calling the operation if a matching read shows that the call cannot succeed. */
  readonly allowedReads?: RegExp;
  /** The client runs once for each, with these changes to the setup; once without changes by default. */
  readonly rounds?: readonly Setup[];
  /** Maximum attempts while the result is inconclusive: a busy machine may delay a client. */
  readonly attempts?: number;
  readonly isInconclusive?: (problem: string) => boolean;
  /** The reason for a failure, in this round; undefined on success. */
  readonly problem: (outcome: Outcome, earlier: readonly Outcome[]) => string | undefined;
}

/** An event of the store; `petId` and `quantity` are those of the order. */
export interface Change {
  readonly type: string;
  readonly id: string;
  readonly petId: string;
  readonly quantity: string;
}

/** The observed result of a run. */
export interface Outcome {
  /** null if the client was killed. */
  readonly code: number | null;
  /** How it ended: `exited with code 1`. */
  readonly end: string;
  /** It was killed because a time limit expired. */
  readonly timedOut: boolean;
  /** Lines of standard output, and the text of standard error. */
  readonly printed: readonly string[];
  readonly stderr: string;
  /** Every exchange, and those of the question's operation. */
  readonly exchanges: readonly Exchange[];
  readonly requests: readonly Exchange[];
  /** What the client changed in the store. */
  readonly changes: readonly Change[];
  /** Id of the last event before the run. */
  readonly since: string;
  /** Lines the client had to print. */
  readonly expected: readonly string[];
  /** The receiver's response status to each delivery; null without a response. */
  readonly responseStatuses: readonly (number | null)[];
}
