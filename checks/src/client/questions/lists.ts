import { randomInt } from 'node:crypto';
import { requestOf, statusOf } from '../../engine/wire.ts';
import { randomWord, someOrders, somePet, someQuotedPet } from '../data.ts';
import {
  expectBounded,
  expectFailure,
  expectLines,
  expectLinesOrFailure,
  expectPrinted,
  idsUpTo,
} from '../expectations.ts';
import type { Question } from '../question.ts';

/** The ids of the data set `int64`, around the limits of 32 bits, doubles and 64 bits. */
const smallerIds = [1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n];
const int64Ids = [...smallerIds, 2n ** 63n - 2n, 2n ** 63n - 1n].map(String);

/** More than two pages of 1,000. */
const orderCount = 2_500 + randomInt(400);

/** A list whose third order is cancelled before the second request. */
const original = someOrders();
const cancelledId = original.expected[2] as string;
const changing = {
  ...original,
  cancelBefore: [undefined, cancelledId],
  expected: original.expected.filter((id) => id !== cancelledId),
};

const listing = { task: 'list-orders', operation: 'v1.listOrders' } as const;
const listingTwice = { ...listing, task: 'list-orders-twice' } as const;
const paging = { task: 'list-pages', operation: 'v2.listOrders' } as const;

export const lists: readonly Question[] = [
  {
    id: 'lists-orders',
    requirement: 'lists the orders',
    hint: 'Sends the key as a bearer token and reads the array.',
    ...listing,
    rounds: [someOrders(), someOrders()],
    problem: expectPrinted,
  },
  {
    id: 'empty-list',
    requirement: 'handles an empty list',
    hint: 'Prints nothing and succeeds.',
    ...listing,
    dataSet: { dataSet: 'empty' },
    problem: expectLines([]),
  },
  {
    id: 'int64-read',
    requirement: 'reads int64 ids exactly',
    hint: 'Parses ids as 64-bit integers or strings: a double rounds 9007199254740993.',
    ...listing,
    dataSet: { dataSet: 'int64' },
    problem: expectLines(int64Ids),
  },
  {
    id: 'large-list',
    requirement: 'reads an array of 100,000 orders',
    hint: 'Reads all 10 MB of JSON.',
    ...listing,
    dataSet: { dataSet: 'large', orders: 100_000 },
    problem: expectLines(idsUpTo(100_000)),
  },
  {
    id: 'pages',
    requirement: 'follows all pages while orders change',
    hint: 'Follows `nextCursor` until it is null; never computes a number of pages.',
    ...paging,
    dataSet: { dataSet: 'large', orders: orderCount },
    shortPages: true,
    cancelBefore: ['1', '700', '1000', '1001', '1600', '2499', '2500'],
    problem: expectLines(idsUpTo(orderCount)),
  },
  {
    ...paging,
    id: 'int64-pages',
    requirement: 'reads int64 ids exactly from pages',
    hint: 'Parses the ids on each page as 64-bit integers or strings.',
    dataSet: { dataSet: 'int64' },
    problem: expectLines(int64Ids),
  },
  {
    ...paging,
    id: 'pages-interrupted',
    requirement: 'does not mistake a failed page for the last one',
    hint: 'Retries the page, and fails if it never arrives: half a list is not a success.',
    dataSet: { dataSet: 'large', orders: orderCount },
    fault: { operation: 'v2.listOrders', fault: 'drop', times: null },
    faultAt: /[?&]cursor=./,
    problem: (outcome) => {
      if (!outcome.requests.some((one) => /[?&]cursor=./.test(requestOf(one).path)))
        return 'it requested only one page';
      return (
        expectBounded(outcome) ?? (expectFailure(outcome) && `it ${outcome.end}, though a page never arrived`)
      );
    },
  },
  {
    ...paging,
    id: 'cursor-expires',
    requirement: 'notices that a cursor is no longer valid',
    hint: 'Starts again or fails on `invalid_cursor`; never treats it as the last page.',
    dataSet: { dataSet: 'large', orders: orderCount },
    expiredCursor: true,
    problem: expectLinesOrFailure(idsUpTo(orderCount)),
  },
  {
    id: 'etag',
    requirement: 'revalidates with ETag',
    hint: 'Sends the cached `ETag` in `If-None-Match`, and uses the cached list on 304.',
    ...listingTwice,
    rounds: [
      { ...someOrders(), headerCase: 'lower' },
      { ...someOrders(), headerCase: 'title' },
    ],
    problem(outcome) {
      const has304 = outcome.requests.some((exchange) => statusOf(exchange) === 304);
      if (!has304) return 'it downloaded the same list twice';
      const downloads = outcome.requests.filter((exchange) => statusOf(exchange) === 200).length;
      return downloads > 1 ? 'it downloaded the list again after a 304' : expectPrinted(outcome);
    },
  },
  {
    ...listingTwice,
    id: 'etag-changed',
    requirement: 'reads the list again when it has changed',
    hint: 'Uses the cached list only on 304; on 200, prints the new one.',
    ...changing,
    problem: (outcome) =>
      outcome.printed.includes(cancelledId)
        ? `it printed order ${cancelledId}, which was cancelled before its second request`
        : expectPrinted(outcome),
  },
  {
    id: 'unknown-field',
    requirement: 'ignores unknown fields',
    hint: 'Reads the fields it knows: responses may gain fields.',
    task: 'get-pet',
    operation: 'v2.getPet',
    rounds: [
      { ...somePet(), addedField: `field-${randomWord()}` },
      { ...somePet(), addedField: `field-${randomWord()}` },
    ],
    problem: expectPrinted,
  },
  {
    id: 'unusual-json',
    requirement: 'reads JSON in unusual formatting',
    hint: 'Parses JSON, which is UTF-8: whitespace, field order and escapes may change. A text search would break.',
    task: 'get-pet',
    operation: 'v2.getPet',
    ...someQuotedPet(),
    unusualJson: true,
    problem: expectPrinted,
  },
  {
    id: 'int64-pets',
    requirement: 'reads the int64 ids of pets exactly',
    hint: 'Parses the ids of pets like those of orders.',
    task: 'list-pets-twice',
    operation: 'v1.listPets',
    dataSet: { dataSet: 'int64' },
    problem: expectLines([...int64Ids, ...int64Ids]),
  },
];
