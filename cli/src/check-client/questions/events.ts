import { type Outcome, type Question, says } from '../question.ts';

const exactly = (outcome: Outcome) => says(outcome.expected)(outcome);
const receiving = { task: 'receive-webhooks' } as const;

/** Whether the receiver answered this delivery as it should. */
function answers(outcome: Outcome, at: number, well: boolean, what: string): string | undefined {
  const status = outcome.answers[at];
  if (status === undefined) return `it ${outcome.end} before it listened`;
  if (status === null) return `it gave no answer to ${what}`;
  const isTaken = status >= 200 && status < 300;
  return isTaken === well ? undefined : `it answered ${what} with ${status}`;
}

export const events: readonly Question[] = [
  {
    id: 'stream-resumes',
    ask: 'resumes a stream where it ended',
    good: 'Connects again with the last id as `Last-Event-ID`: every event once, none is missing.',
    task: 'watch-events',
    events: { count: 6, cutAfter: 3 },
    problem: exactly,
  },
  {
    ...receiving,
    id: 'webhook-accepted',
    ask: 'accepts a webhook that the store has signed',
    good: 'Checks the signature over id, time and body as they came, and answers 2xx.',
    deliveries: ['signed', 'last'],
    problem: (outcome) => answers(outcome, 0, true, 'a signed delivery') ?? exactly(outcome),
  },
  {
    ...receiving,
    id: 'webhook-forged',
    ask: 'refuses a webhook that somebody else has signed',
    good: 'Answers 4xx where no signature is right, and does nothing.',
    deliveries: ['forged', 'last'],
    problem: (outcome) => answers(outcome, 0, false, 'a forged delivery') ?? exactly(outcome),
  },
  {
    ...receiving,
    id: 'webhook-stale',
    ask: 'refuses a webhook of an hour ago',
    good: 'Answers 4xx where `webhook-timestamp` is more than five minutes off: it may be a recording.',
    deliveries: ['stale', 'last'],
    problem: (outcome) => answers(outcome, 0, false, 'a stale delivery') ?? exactly(outcome),
  },
  {
    ...receiving,
    id: 'webhook-twice',
    ask: 'takes the same delivery twice as one',
    good: 'Remembers `webhook-id`: answers 2xx again, and does nothing again.',
    deliveries: ['signed', 'same-again', 'last'],
    problem: (outcome) =>
      answers(outcome, 0, true, 'a signed delivery') ??
      answers(outcome, 1, true, 'the same delivery') ??
      exactly(outcome),
  },
];
