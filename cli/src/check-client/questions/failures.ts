import {
  counted,
  demonstration,
  fails,
  type Outcome,
  type Question,
  says,
  saysOrFails,
  sent,
} from '../question.ts';

const list = { operation: 'v1.listOrders' };
const pets = counted(12);

/** Whether the second request came no sooner than the answer to the first asked for. */
function waits(outcome: Outcome, until: (answer: string, answeredAt: number) => number): string | undefined {
  const [first, second] = outcome.exchanges;
  if (!first || !second) return 'it did not try again';
  const early = until(first.answered, first.answeredAt) - second.askedAt;
  // Timers may be a few milliseconds ahead of the clock.
  return early <= 10 ? says(demonstration)(outcome) : `it tried again ${early} ms too early`;
}

export const failures: readonly Question[] = [
  {
    id: 'dropped-read',
    ask: 'tries a dropped read again',
    good: 'Sends it once more: to read twice changes nothing.',
    task: 'list-orders',
    fault: { ...list, fault: 'drop' },
    problem: says(demonstration),
  },
  {
    id: 'reset-connection',
    ask: 'tries again after a reset connection',
    good: 'Opens another connection, and sends it once more.',
    task: 'list-orders',
    fault: { operation: '*', fault: 'reset' },
    problem: says(demonstration),
  },
  {
    id: 'stale-connection',
    ask: 'lives with a stale connection',
    good: 'Opens another connection where the one that it kept has ended.',
    task: 'list-pets-twice',
    fault: { operation: 'v1.listPets', fault: 'stale-connection' },
    problem: says([...pets, ...pets]),
  },
  {
    id: 'retry-after',
    ask: 'honours Retry-After',
    good: 'Waits as many seconds as the 503 says, and tries again.',
    task: 'list-orders',
    fault: { ...list, fault: 'status', parameters: { code: 503 } },
    problem: (outcome) =>
      waits(outcome, (answer, at) => at + 1000 * Number(/^retry-after: (\d+)\r$/im.exec(answer)?.[1])),
  },
  {
    id: 'retry-after-date',
    ask: 'honours a Retry-After that is a date',
    good: 'Reads `Retry-After` in both of its forms, and waits until that moment.',
    task: 'list-orders',
    fault: { ...list, fault: 'status', parameters: { code: 503 } },
    retryAfterDate: true,
    problem: (outcome) =>
      waits(outcome, (answer) => Date.parse(/^retry-after: ([^\r]+)\r$/im.exec(answer)?.[1] ?? '')),
  },
  {
    id: 'truncated-body',
    ask: 'takes no truncated body for a whole one',
    good: 'Fails, or tries again; never shows half a list.',
    task: 'list-orders',
    fault: { ...list, fault: 'truncate', times: null },
    problem: saysOrFails(demonstration),
  },
  {
    id: 'garbage',
    ask: 'takes no garbage for an answer',
    good: 'Fails, or tries again.',
    task: 'list-orders',
    fault: { ...list, fault: 'garbage', times: null },
    problem: saysOrFails(demonstration),
  },
  {
    id: 'slow-answer',
    ask: 'waits for a slow answer',
    good: 'Waits as long as bytes come.',
    task: 'list-orders',
    fault: { ...list, fault: 'slow', parameters: { ms: 3000 } },
    problem: says(demonstration),
  },
  {
    id: 'deprecation',
    ask: 'says that an operation is deprecated',
    good: 'Warns its user, on standard error, where an answer has `Deprecation` or `Sunset`.',
    task: 'get-pet-v1',
    problem: (outcome) =>
      says(['Rex'])(outcome) ??
      (/deprecat|sunset/i.test(outcome.said) ? undefined : 'it said nothing of it on standard error'),
  },
  {
    id: 'gone',
    ask: 'takes an operation that is gone for gone',
    good: 'Sends one request, and fails: a 410 stays.',
    task: 'get-pet-v1',
    fault: { operation: 'v1.getPet', fault: 'status', parameters: { code: 410 }, times: null },
    problem: (outcome) => sent(1, outcome) ?? fails(outcome),
  },
];
