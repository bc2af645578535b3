import { randomBytes } from 'node:crypto';
import { callIn, statusOf } from '../../engine/wire.ts';
import { soldOut } from '../data.ts';
import {
  countPlaced,
  expectBounded,
  expectFailure,
  expectFinal,
  expectLongKeys,
  expectPlaced,
  expectSameKey,
  expectSuccess,
  hasCancelled,
} from '../expectations.ts';
import type { Outcome, Question } from '../question.ts';

const beyondDouble = String(2n ** 53n + 1n);
const cancelling = { task: 'cancel-order', operation: 'v1.cancelOrder' } as const;
const placing = { task: 'place-order', operation: 'v2.placeOrder' } as const;

const orderReads = /^GET \/v[12]\/store\/orders/;

const unknownKey = `pst_test_${randomBytes(19).toString('hex')}`;

/** Expects a rejected key to end the program: no request is sent twice, and the key is in no message. */
const expectStopAtRejectedKey = (outcome: Outcome) => {
  const rejected = outcome.exchanges.filter((one) => statusOf(one) === 401);
  const calls = rejected.map(callIn);
  const repeated = calls.find((one, at) => calls.indexOf(one) < at);
  const count = calls.filter((one) => one === repeated).length;
  if (repeated !== undefined) return `it sent ${count} requests instead of 1: ${repeated}`;
  const isShown = [...outcome.printed, outcome.stderr].some((text) => text.includes(unknownKey));
  return isShown ? 'it printed its key' : expectFailure(outcome);
};

export const changes: readonly Question[] = [
  {
    ...cancelling,
    id: 'int64-write',
    requirement: 'sends int64 ids exactly',
    hint: 'Puts the exact digits of the id into the path: a rounded id names another order.',
    orderId: beyondDouble,
    dataSet: { dataSet: 'int64' },
    problem: (outcome) =>
      hasCancelled(outcome, beyondDouble) ? expectSuccess(outcome) : 'the order was not cancelled',
  },
  {
    ...cancelling,
    id: 'no-content',
    requirement: 'handles a 204 without a body',
    hint: 'Does not parse an empty body, and succeeds.',
    orderId: '2',
    problem(outcome) {
      if (!hasCancelled(outcome, '2')) return 'the order was not cancelled';
      const { length } = outcome.requests;
      return expectSuccess(outcome) ?? (length === 1 ? undefined : `it sent ${length} requests instead of 1`);
    },
  },
  {
    ...cancelling,
    id: 'conflict-is-final',
    requirement: 'treats 409 as final',
    hint: 'Sends one request and fails: a shipped order stays shipped.',
    orderId: '3',
    allowedReads: orderReads,
    problem: expectFinal,
  },
  {
    ...cancelling,
    id: 'missing-is-final',
    requirement: 'treats 404 as final',
    hint: 'Sends one request and fails: the order does not exist.',
    orderId: '99',
    allowedReads: orderReads,
    problem: expectFinal,
  },
  {
    ...cancelling,
    id: 'lost-cancel',
    requirement: 'determines whether a cancel with a lost response succeeded',
    hint: 'Sends it again and treats 404 as success, or looks at the list. A 409 means that the order has shipped.',
    allowedReads: orderReads,
    rounds: [
      { orderId: '2', fault: { operation: 'v1.cancelOrder', fault: 'lost-answer' } },
      { orderId: '3', fault: { operation: 'v1.cancelOrder', fault: 'drop' } },
    ],
    problem(outcome, { length }) {
      const hasShipped = length > 0;
      if (hasShipped)
        return (
          expectBounded(outcome) ?? (expectFailure(outcome) && `it ${outcome.end}, and the order has shipped`)
        );
      if (!hasCancelled(outcome, '2')) return 'the order was not cancelled';
      const isRetried = outcome.exchanges.length > 1;
      const problem = isRetried
        ? 'it reported a cancelled order as failed'
        : 'it gave up without knowing whether the order was cancelled';
      return outcome.code === 0 ? expectBounded(outcome) : problem;
    },
  },
  {
    ...cancelling,
    id: 'dropped-cancel',
    requirement: 'does not report a dropped cancel as done',
    hint: 'Sends it again, or reports the failure.',
    orderId: '2',
    fault: { operation: 'v1.cancelOrder', fault: 'drop' },
    problem(outcome) {
      const isDone = hasCancelled(outcome, '2');
      if (isDone) return expectSuccess(outcome) ?? expectBounded(outcome);
      return expectFailure(outcome) && `it ${outcome.end}, and the order was not cancelled`;
    },
  },
  {
    task: 'list-orders',
    operation: 'v1.listOrders',
    id: 'refused-key-is-final',
    requirement: 'treats 401 as final',
    hint: 'Sends one request and fails: retrying does not make a key valid. The message does not contain the key.',
    key: unknownKey,
    problem: expectStopAtRejectedKey,
  },
  {
    ...cancelling,
    id: 'refused-cancel',
    requirement: 'reports a cancel that was rejected with 401',
    hint: 'Sends one request and fails: the order was not cancelled. The message does not contain the key.',
    orderId: '2',
    key: unknownKey,
    problem: expectStopAtRejectedKey,
  },
  {
    ...placing,
    id: 'places-once',
    requirement: 'places an order once',
    hint: 'Sends one order and treats 201 as success.',
    problem: (outcome) => expectPlaced(1, outcome) ?? expectSuccess(outcome),
  },
  {
    ...placing,
    id: 'places-again',
    requirement: 'places another order when it runs again',
    hint: 'Creates a new `Idempotency-Key` for each order, such as a random UUID: one that was used before replays the first response.',
    rounds: [{}, { keepStore: true }],
    problem: (outcome, earlier) =>
      expectPlaced(earlier.length + 1, outcome) ??
      expectSuccess(outcome) ??
      (earlier.length > 0 ? expectLongKeys(outcome) : undefined),
  },
  {
    ...placing,
    id: 'rejected-order-is-final',
    requirement: 'treats a rejected order as final',
    hint: 'Sends one request and fails: the pet is sold out.',
    dataSet: soldOut,
    allowedReads: /^GET \/v[12]\/pets/,
    problem: expectFinal,
  },
  {
    task: 'place-two-orders',
    operation: 'v2.placeOrder',
    id: 'two-orders',
    requirement: 'places two orders in one run',
    hint: 'Creates a new `Idempotency-Key` for each order, not for each run.',
    problem: (outcome) => expectPlaced(2, outcome) ?? expectSuccess(outcome),
  },
  {
    ...placing,
    id: 'lost-answer',
    requirement: 'retries a lost response without a second order',
    hint: 'Retries with the same `Idempotency-Key`, which returns the result of the first attempt.',
    fault: { operation: 'v2.placeOrder', fault: 'lost-answer' },
    problem(outcome) {
      const wrong = expectPlaced(1, outcome) ?? expectSameKey(outcome) ?? expectBounded(outcome);
      if (wrong !== undefined) return wrong;
      return outcome.code === 0 ? undefined : 'it gave up without knowing whether the order was placed';
    },
  },
  {
    ...placing,
    id: 'dropped-change',
    requirement: 'does not place a second order when the connection drops',
    hint: 'Retries with an `Idempotency-Key`, or reports the failure.',
    fault: { operation: 'v2.placeOrder', fault: 'drop' },
    problem(outcome) {
      const wrong = expectSameKey(outcome) ?? expectBounded(outcome);
      if (wrong !== undefined) return wrong;
      if (countPlaced(outcome) > 1) return expectPlaced(1, outcome);
      return countPlaced(outcome) === 1 ? expectSuccess(outcome) : expectFailure(outcome);
    },
  },
];
