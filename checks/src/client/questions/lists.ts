import { statusOf } from '../../engine/wire.ts';
import { counted, demonstration, type Question, says, succeeds } from '../question.ts';

/** The ids of the data set `int64`, around the limits of 32 bits, doubles and 64 bits. */
const hardIds = [1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n];
const hardest = [...hardIds, 2n ** 63n - 2n, 2n ** 63n - 1n].map(String);

export const lists: readonly Question[] = [
  {
    id: 'lists-orders',
    ask: 'lists the orders',
    good: 'Sends the key as a bearer token and reads the array.',
    task: 'list-orders',
    problem: says(demonstration),
  },
  {
    id: 'empty-list',
    ask: 'handles an empty list',
    good: 'Prints nothing and succeeds.',
    task: 'list-orders',
    dataSet: { dataSet: 'empty' },
    problem: says([]),
  },
  {
    id: 'int64-read',
    ask: 'keeps int64 when it reads',
    good: 'Parses ids as 64-bit integers or strings: a double rounds 9007199254740993.',
    task: 'list-orders',
    dataSet: { dataSet: 'int64' },
    problem: says(hardest),
  },
  {
    id: 'large-list',
    ask: 'reads an array of 100,000 orders',
    good: 'Reads all 10 MB of JSON.',
    task: 'list-orders',
    dataSet: { dataSet: 'large', orders: 100_000 },
    problem: (outcome) =>
      succeeds(outcome) ??
      (outcome.printed.length === 100_000 ? undefined : `it printed ${outcome.printed.length} lines`),
  },
  {
    id: 'pages',
    ask: 'follows all pages while orders change',
    good: 'Follows `nextCursor` until it is null; never computes a number of pages.',
    task: 'list-pages',
    dataSet: { dataSet: 'large', orders: 2_500 },
    cancelled: ['1', '700', '1000', '1001', '1600', '2499', '2500'],
    problem: says(counted(2_500)),
  },
  {
    id: 'etag',
    ask: 'revalidates with ETag',
    good: 'Sends the cached `ETag` in `If-None-Match`, and uses the cached list on 304.',
    task: 'list-orders-twice',
    problem: (outcome) =>
      outcome.exchanges.some((exchange) => statusOf(exchange) === 304)
        ? says(demonstration)(outcome)
        : 'it downloaded the same list twice',
  },
  {
    id: 'unknown-field',
    ask: 'ignores unknown fields',
    good: 'Reads the fields it knows: responses may gain fields.',
    task: 'get-pet',
    problem: says(['Rex']),
  },
];
