import { hardIds } from '../../stores/data-sets.ts';
import type { Arrival } from './watched-store.ts';

/** What a client is asked to do. */
type Task =
  | 'list-orders'
  | 'list-orders-twice'
  | 'list-pages'
  | 'list-pets-twice'
  | 'get-pet'
  | 'get-pet-v1'
  | 'cancel-order'
  | 'place-order';

/** What came of it. */
export interface Outcome {
  readonly code: number | null;
  /** The lines that the client printed, and what it said besides, on standard error. */
  readonly printed: readonly string[];
  readonly said: string;
  readonly arrivals: readonly Arrival[];
  /** The orders that the store holds afterwards, as v1 lists them. */
  readonly ids: readonly string[];
}

export interface Question {
  readonly ask: string;
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
  /** Orders of which one is cancelled whenever the client has read something. */
  readonly cancelled?: readonly string[];
  /** undefined for a pass, or what went wrong. */
  readonly problem: (outcome: Outcome) => string | undefined;
}

const demonstration = Array.from({ length: 40 }, (_, i) => String(i + 1));
const counted = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));
const twice = (lines: readonly string[]) => [...lines, ...lines];
const hardIdTexts = hardIds.map(String);

const list = { operation: 'v1.listOrders' };

const says = (expected: readonly string[]) => (outcome: Outcome) => {
  if (outcome.code !== 0) return `it ended with code ${outcome.code}`;
  const wrong = expected.find((id) => !outcome.printed.includes(id));
  if (wrong !== undefined) return `it did not print ${wrong}`;
  return outcome.printed.length === expected.length
    ? undefined
    : `it printed ${outcome.printed.length} lines instead of ${expected.length}`;
};

/** A failure that is said to be one, or the right result after another try; never a wrong one as if it were right. */
const saysOrFails = (expected: readonly string[]) => (outcome: Outcome) =>
  outcome.code === 0 ? says(expected)(outcome) : undefined;

const requests = (count: number, { arrivals }: Outcome) =>
  arrivals.length === count ? undefined : `${arrivals.length} requests arrived instead of ${count}`;

const ends = (well: boolean, { code }: Outcome) =>
  (code === 0) === well ? undefined : `it ended with code ${code}`;

/** Every question that a program can answer by itself. */
export const questions: readonly Question[] = [
  { ask: 'lists the orders', task: 'list-orders', problem: says(demonstration) },
  {
    ask: 'takes an empty list for one',
    task: 'list-orders',
    dataSet: { dataSet: 'empty' },
    problem: says([]),
  },
  {
    ask: 'keeps int64 when it reads',
    task: 'list-orders',
    dataSet: { dataSet: 'int64' },
    problem: says(hardIdTexts),
  },
  {
    ask: 'keeps int64 when it writes',
    task: 'cancel-order',
    orderId: String(2n ** 53n + 1n),
    dataSet: { dataSet: 'int64' },
    problem: (outcome) =>
      outcome.ids.includes(String(2n ** 53n + 1n)) ? 'the order is still there' : ends(true, outcome),
  },
  {
    ask: 'survives a 204 without a body',
    task: 'cancel-order',
    orderId: '2',
    problem: (outcome) => ends(true, outcome) ?? requests(1, outcome),
  },
  {
    ask: 'treats 409 as final',
    task: 'cancel-order',
    orderId: '3',
    problem: (outcome) => requests(1, outcome) ?? ends(false, outcome),
  },
  {
    ask: 'treats 401 as final',
    task: 'list-orders',
    key: 'pst_test_nobody',
    problem: (outcome) => requests(1, outcome) ?? ends(false, outcome),
  },
  {
    ask: 'places an order once',
    task: 'place-order',
    problem: (outcome) =>
      outcome.ids.length === 41 ? ends(true, outcome) : `there are ${outcome.ids.length - 40} new orders`,
  },
  {
    ask: 'retries a lost answer without a second order',
    task: 'place-order',
    fault: { operation: 'v2.placeOrder', fault: 'lost-answer' },
    problem: ({ ids, code }) => {
      if (ids.length !== 41) return `there are ${ids.length - 40} new orders`;
      return code === 0 ? undefined : 'it gave up, and cannot know whether the order is placed';
    },
  },
  {
    ask: 'tries a dropped read again',
    task: 'list-orders',
    fault: { ...list, fault: 'drop' },
    problem: says(demonstration),
  },
  {
    ask: 'places no second order when a change is dropped',
    task: 'place-order',
    fault: { operation: 'v2.placeOrder', fault: 'drop' },
    problem: (outcome) => {
      const placed = outcome.ids.length - 40;
      if (placed > 1) return `there are ${placed} new orders`;
      return placed === 1 ? ends(true, outcome) : ends(false, outcome);
    },
  },
  {
    ask: 'tries again after a reset connection',
    task: 'list-orders',
    fault: { operation: '*', fault: 'reset' },
    problem: says(demonstration),
  },
  {
    ask: 'lives with a stale connection',
    task: 'list-pets-twice',
    fault: { operation: 'v1.listPets', fault: 'stale-connection' },
    problem: says(twice(counted(12))),
  },
  {
    ask: 'honours Retry-After',
    task: 'list-orders',
    fault: { ...list, fault: 'status', parameters: { code: 503 } },
    problem: (outcome) => {
      const [first, second] = outcome.arrivals;
      if (!first || !second) return 'it did not try again';
      const waited = second.time - second.ms - first.time;
      return waited >= 990 ? says(demonstration)(outcome) : `it tried again after ${Math.round(waited)} ms`;
    },
  },
  {
    ask: 'takes no truncated body for a whole one',
    task: 'list-orders',
    fault: { ...list, fault: 'truncate', times: null },
    problem: saysOrFails(demonstration),
  },
  {
    ask: 'takes no garbage for an answer',
    task: 'list-orders',
    fault: { ...list, fault: 'garbage', times: null },
    problem: saysOrFails(demonstration),
  },
  {
    ask: 'waits for a slow answer',
    task: 'list-orders',
    fault: { ...list, fault: 'slow', parameters: { ms: 3000 } },
    problem: says(demonstration),
  },
  {
    ask: 'reads an array of 100,000',
    task: 'list-orders',
    dataSet: { dataSet: 'large', orders: 100_000 },
    problem: (outcome) =>
      ends(true, outcome) ??
      (outcome.printed.length === 100_000 ? undefined : `it printed ${outcome.printed.length} lines`),
  },
  {
    ask: 'follows pages to the end while orders change',
    task: 'list-pages',
    dataSet: { dataSet: 'large', orders: 2_500 },
    cancelled: ['1', '700', '1000', '1001', '1600', '2499', '2500'],
    problem: says(counted(2_500)),
  },
  {
    ask: 'revalidates with ETag',
    task: 'list-orders-twice',
    problem: ({ arrivals }) =>
      arrivals.some(({ status }) => status === 304) ? undefined : 'it read the same list twice in full',
  },
  {
    ask: 'says that an operation is deprecated',
    task: 'get-pet-v1',
    problem: (outcome) =>
      says(['Rex'])(outcome) ??
      (/deprecat|sunset/i.test(outcome.said) ? undefined : 'it said nothing of it on standard error'),
  },
  {
    ask: 'takes an operation that is gone for gone',
    task: 'get-pet-v1',
    fault: { operation: 'v1.getPet', fault: 'status', parameters: { code: 410 }, times: null },
    problem: (outcome) => requests(1, outcome) ?? ends(false, outcome),
  },
  {
    ask: 'passes over a field that it does not need',
    task: 'get-pet',
    problem: says(['Rex']),
  },
];
