import { counted, demonstration, type Question, says, succeeds } from '../question.ts';
import { statusOf } from '../wire.ts';

/** The ids of the data set `int64`, around what 32 bits, a double and 64 bits can hold. */
const hardIds = [1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n];
const hardest = [...hardIds, 2n ** 63n - 2n, 2n ** 63n - 1n].map(String);

export const lists: readonly Question[] = [
  {
    id: 'lists-orders',
    ask: 'lists the orders',
    good: 'Sends the key as a bearer token, and prints what is in the array.',
    task: 'list-orders',
    problem: says(demonstration),
  },
  {
    id: 'empty-list',
    ask: 'takes an empty list for one',
    good: 'Prints nothing, and does not fail.',
    task: 'list-orders',
    dataSet: { dataSet: 'empty' },
    problem: says([]),
  },
  {
    id: 'int64-read',
    ask: 'keeps int64 when it reads',
    good: 'Reads ids into 64 bits, or keeps their digits: a double rounds 9007199254740993.',
    task: 'list-orders',
    dataSet: { dataSet: 'int64' },
    problem: says(hardest),
  },
  {
    id: 'large-list',
    ask: 'reads an array of 100,000',
    good: 'Reads 10 MB of JSON to the end.',
    task: 'list-orders',
    dataSet: { dataSet: 'large', orders: 100_000 },
    problem: (outcome) =>
      succeeds(outcome) ??
      (outcome.printed.length === 100_000 ? undefined : `it printed ${outcome.printed.length} lines`),
  },
  {
    id: 'pages',
    ask: 'follows pages to the end while orders change',
    good: 'Goes on with `nextCursor` until it is null, and never by a number of pages or a total.',
    task: 'list-pages',
    dataSet: { dataSet: 'large', orders: 2_500 },
    cancelled: ['1', '700', '1000', '1001', '1600', '2499', '2500'],
    problem: says(counted(2_500)),
  },
  {
    id: 'etag',
    ask: 'revalidates with ETag',
    good: 'Sends `If-None-Match` with the `ETag` that it has, and takes 304 for "as before".',
    task: 'list-orders-twice',
    problem: (outcome) =>
      outcome.exchanges.some((exchange) => statusOf(exchange) === 304)
        ? says(demonstration)(outcome)
        : 'it read the same list twice in full',
  },
  {
    id: 'unknown-field',
    ask: 'passes over a field that it does not need',
    good: 'Reads what it knows: answers are open for fields to come.',
    task: 'get-pet',
    problem: says(['Rex']),
  },
];
