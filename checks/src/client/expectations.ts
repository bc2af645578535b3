import { callIn, headerOf, statusOf } from '../engine/wire.ts';
import type { Change, Outcome, Question } from './question.ts';

export const idsUpTo = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

/** Expects exactly these lines, in any order, and exit code 0. */
export const expectLines =
  (expected: readonly string[]) =>
  ({ code, end, printed }: Outcome): string | undefined => {
    if (code !== 0) return `it ${end}`;
    const counts = new Map<string, number>();
    for (const line of printed) counts.set(line, (counts.get(line) ?? 0) + 1);
    const missing = expected.find((line) => {
      const left = counts.get(line) ?? 0;
      counts.set(line, left - 1);
      return left === 0;
    });
    if (missing !== undefined)
      return `it did not print ${missing}${printed.includes(missing) ? ' again' : ''}`;
    if (printed.length === expected.length) return undefined;
    return `it printed ${printed.length} lines instead of ${expected.length}`;
  };

/** Expects exactly the lines of the round. */
export const expectPrinted = (outcome: Outcome) => expectLines(outcome.expected)(outcome);

/** Expects the correct result or a reported failure; never a wrong result with exit code 0. */
export const expectLinesOrFailure = (expected: readonly string[]) => (outcome: Outcome) =>
  outcome.code === 0 || outcome.code === null ? expectLines(expected)(outcome) : undefined;

export const expectPrintedOrFailure = (outcome: Outcome) => expectLinesOrFailure(outcome.expected)(outcome);

/** Expects a final response: at most one request of the operation, and a reported failure. */
export const expectFinal = (outcome: Outcome) => {
  const { length } = outcome.requests;
  return length > 1 ? `it sent ${length} requests instead of 1` : expectFailure(outcome);
};

export const expectSuccess = ({ code, end }: Outcome) => (code === 0 ? undefined : `it ${end}`);

/** Expects a reported failure. Hanging does not count. */
export const expectFailure = ({ code, end }: Outcome) =>
  code === 0 || code === null ? `it ${end}` : undefined;

/** Whether the client cancelled this order, with either version. */
export const hasCancelled = ({ changes }: Outcome, orderId: string) =>
  changes.some(({ type, id }) => type === 'order.cancelled' && id === orderId);

export const countPlaced = ({ changes }: Outcome) =>
  changes.filter(({ type }) => type === 'order.placed').length;

/** Expects this number of new orders, each for one unit of pet 1. */
export const expectPlaced = (count: number, outcome: Outcome) => {
  const orders = countPlaced(outcome);
  if (orders !== count) return orders === 1 ? '1 order was placed' : `${orders} orders were placed`;
  const other = outcome.changes.find(({ petId, quantity }) => petId !== '1' || quantity !== '1');
  return other && `it ordered ${other.quantity} of pet ${other.petId} instead of 1 of pet 1`;
};

/** Expects no change that the task does not ask for. */
export const unexpectedChange = (
  { task, orderId }: Pick<Question, 'task' | 'orderId'>,
  { changes }: Outcome,
): string | undefined => {
  const isExpected = ({ type, id }: Change) =>
    task === 'cancel-order'
      ? type === 'order.cancelled' && id === orderId
      : /^place-/.test(task) && type === 'order.placed';
  const other = changes.find((change) => !isExpected(change));
  return other && `it caused an event that is not part of its task: ${other.type} ${other.id}`;
};

/** Expects every attempt to place one order to have the same `Idempotency-Key`. */
export const expectSameKey = ({ requests }: Outcome) => {
  const keys = new Set(requests.map(({ request }) => headerOf(request, 'idempotency-key')));
  if (requests.length < 2 || (keys.size === 1 && !keys.has(undefined))) return undefined;
  return keys.has(undefined)
    ? 'it retried without an Idempotency-Key'
    : 'it retried with a different Idempotency-Key';
};

/** The waits between a rejected request and the next one: how long, and how much longer than demanded. */
export function retriesOf({ requests }: Outcome) {
  return requests.flatMap((first, at) => {
    const { responseAt } = first;
    // A request sent before the response is not a retry.
    const second = requests.slice(at + 1).find(({ requestedAt }) => requestedAt >= responseAt);
    if (!second || ![429, 503].includes(statusOf(first) ?? 0)) return [];
    const retryAfter = headerOf(first.response, 'retry-after') ?? '';
    const until = /^\d+$/.test(retryAfter)
      ? responseAt + 1000 * Number(retryAfter)
      : Math.max(responseAt, Date.parse(retryAfter));
    return { retryAfter, waited: second.requestedAt - responseAt, late: second.requestedAt - until };
  });
}

/** Expects no retry before the time that the response allows. */
export function expectFullWaits(outcome: Outcome): string | undefined {
  // Timers may fire a few milliseconds early.
  const early = retriesOf(outcome).find(({ late }) => late < -10);
  return early && `it retried ${-early.late} ms too early`;
}

/** More bits than a timestamp in milliseconds, a process id or a counter has: keys made of those repeat. */
const MIN_KEY_BITS = 44;

/** Expects every `Idempotency-Key` to be long enough to be unique, however many clients the account has. */
export const expectLongKeys = ({ requests }: Outcome) => {
  const keys = requests.flatMap(({ request }) => headerOf(request, 'idempotency-key') ?? []);
  const short = keys.find((key) => bitsIn(key) < MIN_KEY_BITS);
  return short && `its Idempotency-Key ${short} is too short to be unique`;
};

/** Estimates the bits of a key, without leading words such as `order-`: 5 per character unless all are digits or hexadecimal. */
function bitsIn(key: string): number {
  const text = key.replace(/^"?(?:[a-z]+[-_:.])*/i, '').replace(/[^a-z0-9]/gi, '');
  return text.length * Math.log2(/^\d*$/.test(text) ? 10 : /^[\da-f]*$/i.test(text) ? 16 : 32);
}

const MAX_ATTEMPTS = 20;
/** The first attempt and four retries, which backoff with full jitter may well send within a second. */
const MAX_ATTEMPTS_PER_SECOND = 5;

/** Expects a bound on attempts and, for each method and path, on their rate. */
export const expectBounded = ({ requests }: Pick<Outcome, 'requests'>) => {
  if (requests.length > MAX_ATTEMPTS) return `it sent ${requests.length} requests`;
  const attempts = Object.groupBy(requests, callIn);
  return Object.values(attempts).some((same = []) => isFast(same))
    ? `it sent more than ${MAX_ATTEMPTS_PER_SECOND} requests within a second`
    : undefined;
};

const isFast = (attempts: Outcome['requests']) =>
  attempts.some(({ requestedAt }, at) => {
    const later = attempts[at + MAX_ATTEMPTS_PER_SECOND];
    return later !== undefined && later.requestedAt - requestedAt < 1000;
  });
