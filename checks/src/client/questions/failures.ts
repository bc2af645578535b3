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

/** Whether the second request came no earlier than the first response allowed. */
function waits(
  outcome: Outcome,
  until: (response: string, responseAt: number) => number,
): string | undefined {
  const [first, second] = outcome.exchanges;
  if (!first || !second) return 'it did not retry';
  const early = until(first.response, first.responseAt) - second.requestedAt;
  // Timers may fire a few milliseconds early.
  return early <= 10 ? says(demonstration)(outcome) : `it retried ${early} ms too early`;
}

export const failures: readonly Question[] = [
  {
    id: 'dropped-read',
    ask: 'retries a read after a dropped connection',
    good: 'Retries: a read has no side effects.',
    task: 'list-orders',
    fault: { ...list, fault: 'drop' },
    problem: says(demonstration),
  },
  {
    id: 'reset-connection',
    ask: 'retries after a reset connection',
    good: 'Opens a new connection and retries.',
    task: 'list-orders',
    fault: { operation: '*', fault: 'reset' },
    problem: says(demonstration),
  },
  {
    id: 'stale-connection',
    ask: 'handles a stale connection',
    good: 'Opens a new connection if the pooled one was closed.',
    task: 'list-pets-twice',
    fault: { operation: 'v1.listPets', fault: 'stale-connection' },
    problem: says([...pets, ...pets]),
  },
  {
    id: 'retry-after',
    ask: 'honors Retry-After',
    good: 'Waits for the number of seconds in the 503, then retries.',
    task: 'list-orders',
    fault: { ...list, fault: 'status', parameters: { code: 503 } },
    problem: (outcome) =>
      waits(outcome, (response, at) => at + 1000 * Number(/^retry-after: (\d+)\r$/im.exec(response)?.[1])),
  },
  {
    id: 'retry-after-date',
    ask: 'honors Retry-After as a date',
    good: 'Parses both forms of `Retry-After`, and waits until that time.',
    task: 'list-orders',
    fault: { ...list, fault: 'status', parameters: { code: 503 } },
    retryAfterDate: true,
    problem: (outcome) =>
      waits(outcome, (response) => Date.parse(/^retry-after: ([^\r]+)\r$/im.exec(response)?.[1] ?? '')),
  },
  {
    id: 'truncated-body',
    ask: 'detects a truncated body',
    good: 'Fails or retries; never prints half a list.',
    task: 'list-orders',
    fault: { ...list, fault: 'truncate', times: null },
    problem: saysOrFails(demonstration),
  },
  {
    id: 'garbage',
    ask: 'detects a garbage response',
    good: 'Fails or retries.',
    task: 'list-orders',
    fault: { ...list, fault: 'garbage', times: null },
    problem: saysOrFails(demonstration),
  },
  {
    id: 'slow-answer',
    ask: 'waits for a slow response',
    good: 'Keeps reading as long as bytes arrive.',
    task: 'list-orders',
    fault: { ...list, fault: 'slow', parameters: { ms: 3000 } },
    problem: says(demonstration),
  },
  {
    id: 'deprecation',
    ask: 'warns about a deprecated operation',
    good: 'Prints a warning on standard error if a response has `Deprecation` or `Sunset`.',
    task: 'get-pet-v1',
    problem: (outcome) =>
      says(['Rex'])(outcome) ??
      (/deprecat|sunset/i.test(outcome.said) ? undefined : 'no warning on standard error'),
  },
  {
    id: 'gone',
    ask: 'treats 410 as final',
    good: 'Sends one request and fails: a removed operation does not come back.',
    task: 'get-pet-v1',
    fault: { operation: 'v1.getPet', fault: 'status', parameters: { code: 410 }, times: null },
    problem: (outcome) => sent(1, outcome) ?? fails(outcome),
  },
];
