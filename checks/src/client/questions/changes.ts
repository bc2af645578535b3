import { fails, placed, type Question, sent, succeeds } from '../question.ts';

const beyondDouble = String(2n ** 53n + 1n);

export const changes: readonly Question[] = [
  {
    id: 'int64-write',
    ask: 'keeps int64 when it writes',
    good: 'Puts the exact digits of the id into the path: a rounded id names another order.',
    task: 'cancel-order',
    orderId: beyondDouble,
    dataSet: { dataSet: 'int64' },
    problem: (outcome) =>
      outcome.ids.includes(beyondDouble) ? 'the order was not cancelled' : succeeds(outcome),
  },
  {
    id: 'no-content',
    ask: 'handles a 204 without a body',
    good: 'Does not parse an empty body, and succeeds.',
    task: 'cancel-order',
    orderId: '2',
    problem: (outcome) => succeeds(outcome) ?? sent(1, outcome),
  },
  {
    id: 'conflict-is-final',
    ask: 'treats 409 as final',
    good: 'Sends one request and fails: a shipped order stays shipped.',
    task: 'cancel-order',
    orderId: '3',
    problem: (outcome) => sent(1, outcome) ?? fails(outcome),
  },
  {
    id: 'refused-key-is-final',
    ask: 'treats 401 as final',
    good: 'Sends one request and fails: retrying does not make a key valid.',
    task: 'list-orders',
    key: 'pst_test_nobody',
    problem: (outcome) => sent(1, outcome) ?? fails(outcome),
  },
  {
    id: 'places-once',
    ask: 'places an order once',
    good: 'Sends one order and treats 201 as success.',
    task: 'place-order',
    problem: (outcome) => (placed(outcome) === 1 ? succeeds(outcome) : newOrders(placed(outcome))),
  },
  {
    id: 'lost-answer',
    ask: 'retries a lost response without a second order',
    good: 'Retries with the same `Idempotency-Key`, and so gets the result of the first attempt.',
    task: 'place-order',
    fault: { operation: 'v2.placeOrder', fault: 'lost-answer' },
    problem(outcome) {
      if (placed(outcome) !== 1) return newOrders(placed(outcome));
      return outcome.code === 0 ? undefined : 'it gave up without knowing whether the order was placed';
    },
  },
  {
    id: 'dropped-change',
    ask: 'places no second order when the connection drops',
    good: 'Retries with an `Idempotency-Key`, or reports the failure.',
    task: 'place-order',
    fault: { operation: 'v2.placeOrder', fault: 'drop' },
    problem(outcome) {
      if (placed(outcome) > 1) return newOrders(placed(outcome));
      return placed(outcome) === 1 ? succeeds(outcome) : fails(outcome);
    },
  },
];

const newOrders = (count: number) => `${count} orders were placed`;
