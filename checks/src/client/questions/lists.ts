import { randomInt } from 'node:crypto';
import { statusOf } from '../../engine/wire.ts';
import { counted, demonstration, says, saysOrFails, succeeds } from '../expectations.ts';
import type { Question } from '../question.ts';

/** The ids of the data set `int64`, around the limits of 32 bits, doubles and 64 bits. */
const hardIds = [1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n];
const hardest = [...hardIds, 2n ** 63n - 2n, 2n ** 63n - 1n].map(String);

/** Ids that no client can know. */
const someIds = Array.from({ length: 5 }, (_, at) => String(1_000 * (10 + at) + randomInt(1_000)));
const someOrders = {
  pets: [{ id: 1, name: 'Rex', category: 'dog', stock: 5 }],
  orders: someIds.map((id) => ({ id: Number(id), petId: 1, quantity: 1 })),
};

/** More than two pages of 1,000. */
const manyOrders = 2_500 + randomInt(400);

const listing = { task: 'list-orders', operation: 'v1.listOrders' } as const;
const listingTwice = { ...listing, task: 'list-orders-twice' } as const;
const paging = { task: 'list-pages', operation: 'v2.listOrders' } as const;

export const lists: readonly Question[] = [
  {
    id: 'lists-orders',
    ask: 'lists the orders',
    good: 'Sends the key as a bearer token and reads the array.',
    ...listing,
    dataSet: { data: someOrders },
    problem: says(someIds),
  },
  {
    id: 'empty-list',
    ask: 'handles an empty list',
    good: 'Prints nothing and succeeds.',
    ...listing,
    dataSet: { dataSet: 'empty' },
    problem: says([]),
  },
  {
    id: 'int64-read',
    ask: 'keeps int64 when it reads',
    good: 'Parses ids as 64-bit integers or strings: a double rounds 9007199254740993.',
    ...listing,
    dataSet: { dataSet: 'int64' },
    problem: says(hardest),
  },
  {
    id: 'large-list',
    ask: 'reads an array of 100,000 orders',
    good: 'Reads all 10 MB of JSON.',
    ...listing,
    dataSet: { dataSet: 'large', orders: 100_000 },
    problem: (outcome) =>
      succeeds(outcome) ??
      (outcome.printed.length === 100_000 ? undefined : `it printed ${outcome.printed.length} lines`),
  },
  {
    id: 'pages',
    ask: 'follows all pages while orders change',
    good: 'Follows `nextCursor` until it is null; never computes a number of pages.',
    ...paging,
    dataSet: { dataSet: 'large', orders: manyOrders },
    cancelled: ['1', '700', '1000', '1001', '1600', '2499', '2500'],
    problem: says(counted(manyOrders)),
  },
  {
    ...paging,
    id: 'cursor-expires',
    ask: 'notices that a cursor is no longer valid',
    good: 'Starts again or fails on `invalid_cursor`; never takes it for the last page.',
    dataSet: { dataSet: 'large', orders: manyOrders },
    expiredCursor: true,
    problem: saysOrFails(counted(manyOrders)),
  },
  {
    id: 'etag',
    ask: 'revalidates with ETag',
    good: 'Sends the cached `ETag` in `If-None-Match`, and uses the cached list on 304.',
    ...listingTwice,
    problem: (outcome) =>
      outcome.requests.some((exchange) => statusOf(exchange) === 304)
        ? says(demonstration)(outcome)
        : 'it downloaded the same list twice',
  },
  {
    ...listingTwice,
    id: 'etag-changed',
    ask: 'reads the list again when it has changed',
    good: 'Uses the cached list on 304 only: on 200, it prints the new one.',
    cancelled: ['', '2'],
    problem: (outcome) =>
      outcome.printed.includes('2')
        ? 'it printed order 2, which was cancelled before its second request'
        : says(demonstration.filter((id) => id !== '2'))(outcome),
  },
  {
    id: 'unknown-field',
    ask: 'ignores unknown fields',
    good: 'Reads the fields it knows: responses may gain fields.',
    task: 'get-pet',
    operation: 'v2.getPet',
    problem: says(['Rex']),
  },
];
