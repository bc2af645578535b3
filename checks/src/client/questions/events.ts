import { type Outcome, type Question, says } from '../question.ts';

const exactly = (outcome: Outcome) => says(outcome.expected)(outcome);
const receiving = { task: 'receive-webhooks' } as const;

/** Whether the receiver accepted or rejected this delivery as expected. */
function answers(outcome: Outcome, at: number, accepted: boolean, what: string): string | undefined {
  const status = outcome.answers[at];
  if (status === undefined) return `it ${outcome.end} before it listened`;
  if (status === null) return `it sent no response to ${what}`;
  const isAccepted = status >= 200 && status < 300;
  return isAccepted === accepted ? undefined : `it responded to ${what} with ${status}`;
}

export const events: readonly Question[] = [
  {
    id: 'stream-resumes',
    ask: 'resumes a stream after a disconnect',
    good: 'Reconnects with the last id as `Last-Event-ID`, so that it sees every event exactly once.',
    task: 'watch-events',
    events: { count: 6, cutAfter: 3 },
    problem: exactly,
  },
  {
    ...receiving,
    id: 'webhook-accepted',
    ask: 'accepts a webhook signed by the store',
    good: 'Verifies the signature over id, timestamp and raw body, and responds with 2xx.',
    deliveries: ['signed', 'last'],
    problem: (outcome) => answers(outcome, 0, true, 'a signed delivery') ?? exactly(outcome),
  },
  {
    ...receiving,
    id: 'webhook-forged',
    ask: 'rejects a forged webhook',
    good: 'Responds with 4xx if no signature is valid, and does nothing else.',
    deliveries: ['forged', 'last'],
    problem: (outcome) => answers(outcome, 0, false, 'a forged delivery') ?? exactly(outcome),
  },
  {
    ...receiving,
    id: 'webhook-stale',
    ask: 'rejects a webhook that is an hour old',
    good: 'Responds with 4xx if `webhook-timestamp` is off by more than five minutes: it may be a replay.',
    deliveries: ['stale', 'last'],
    problem: (outcome) => answers(outcome, 0, false, 'a stale delivery') ?? exactly(outcome),
  },
  {
    ...receiving,
    id: 'webhook-twice',
    ask: 'processes a repeated delivery once',
    good: 'Stores `webhook-id`: responds with 2xx again, without processing it again.',
    deliveries: ['signed', 'same-again', 'last'],
    problem: (outcome) =>
      answers(outcome, 0, true, 'a signed delivery') ??
      answers(outcome, 1, true, 'the same delivery') ??
      exactly(outcome),
  },
];
