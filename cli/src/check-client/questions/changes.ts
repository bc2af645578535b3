import { fails, placed, type Question, sent, succeeds } from '../question.ts';

const beyondDouble = String(2n ** 53n + 1n);

export const changes: readonly Question[] = [
  {
    id: 'int64-write',
    ask: 'keeps int64 when it writes',
    good: 'Puts the digits of the id into the path as they are: a rounded one names another order.',
    task: 'cancel-order',
    orderId: beyondDouble,
    dataSet: { dataSet: 'int64' },
    problem: (outcome) =>
      outcome.ids.includes(beyondDouble) ? 'the order is still there' : succeeds(outcome),
  },
  {
    id: 'no-content',
    ask: 'survives a 204 without a body',
    good: 'Parses nothing where there is nothing, and succeeds.',
    task: 'cancel-order',
    orderId: '2',
    problem: (outcome) => succeeds(outcome) ?? sent(1, outcome),
  },
  {
    id: 'conflict-is-final',
    ask: 'treats 409 as final',
    good: 'Sends one request, and fails: the order has shipped, and will not come back.',
    task: 'cancel-order',
    orderId: '3',
    problem: (outcome) => sent(1, outcome) ?? fails(outcome),
  },
  {
    id: 'refused-key-is-final',
    ask: 'treats 401 as final',
    good: 'Sends one request, and fails: the key will be no better next time.',
    task: 'list-orders',
    key: 'pst_test_nobody',
    problem: (outcome) => sent(1, outcome) ?? fails(outcome),
  },
  {
    id: 'places-once',
    ask: 'places an order once',
    good: 'Sends one order, and takes 201 for a success.',
    task: 'place-order',
    problem: (outcome) => (placed(outcome) === 1 ? succeeds(outcome) : newOrders(placed(outcome))),
  },
  {
    id: 'lost-answer',
    ask: 'retries a lost answer without a second order',
    good: 'Sends the same `Idempotency-Key` again, so that it learns what became of the first try.',
    task: 'place-order',
    fault: { operation: 'v2.placeOrder', fault: 'lost-answer' },
    problem(outcome) {
      if (placed(outcome) !== 1) return newOrders(placed(outcome));
      return outcome.code === 0 ? undefined : 'it gave up, and cannot know whether the order is placed';
    },
  },
  {
    id: 'dropped-change',
    ask: 'places no second order when a change is dropped',
    good: 'Retries only with an `Idempotency-Key`, or fails and says so.',
    task: 'place-order',
    fault: { operation: 'v2.placeOrder', fault: 'drop' },
    problem(outcome) {
      if (placed(outcome) > 1) return newOrders(placed(outcome));
      return placed(outcome) === 1 ? succeeds(outcome) : fails(outcome);
    },
  },
];

const newOrders = (count: number) => `there are ${count} new orders`;
