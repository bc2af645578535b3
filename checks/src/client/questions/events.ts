import { randomInt } from 'node:crypto';
import { type Delivery, isAccepted } from '../deliveries.ts';
import { expectBounded, expectFullWaits, expectPrinted, expectPrintedOrFailure } from '../expectations.ts';
import type { Outcome, Question } from '../question.ts';

/** A question about these deliveries: each must be accepted or rejected, and the accepted events printed once. */
function receiving(
  id: string,
  requirement: string,
  hint: string,
  deliveries: readonly Delivery[],
  names: Partial<Record<Delivery, string>>,
): Question {
  const problem = (outcome: Outcome) => {
    for (const [at, delivery] of deliveries.entries()) {
      const what = names[delivery] ?? 'a signed delivery';
      const status = outcome.responseStatuses[at];
      if (status === undefined) return `it ${outcome.end} before it listened`;
      if (status === null) return `it sent no response to ${what}`;
      const isExpected = isAccepted(delivery) ? status >= 200 && status < 300 : status >= 400 && status < 500;
      if (!isExpected) return `it returned ${status} for ${what}`;
    }
    const unhandled = outcome.expected.find((id) => !outcome.printed.includes(id));
    return unhandled === undefined
      ? expectPrinted(outcome)
      : `it accepted event ${unhandled}, and did not print it`;
  };
  return { task: 'receive-webhooks', operation: 'webhooks', id, requirement, hint, deliveries, problem };
}

const streaming = { operation: 'v2.streamEvents' } as const;

/** Three events; the stream never reaches the cut. */
const uncutEvents = { events: { count: 3, cutAfter: 9, cut: 'after its id' } } as const;

export const events: readonly Question[] = [
  {
    id: 'stream-resumes',
    operation: 'v2.streamEvents',
    requirement: 'resumes a stream after a disconnect',
    hint: 'Reconnects with the last id as `Last-Event-ID`, so that it sees every event exactly once. An event ends with an empty line: one that was cut off is sent again.',
    task: 'watch-events',
    rounds: [
      { events: { count: 6, cutAfter: 3, cut: 'after its id' } },
      { events: { count: randomInt(13, 16), cutAfter: randomInt(9, 12), cut: 'within its id' } },
      { events: { count: randomInt(7, 10), cutAfter: randomInt(1, 6), cut: 'within its data' } },
    ],
    problem: expectPrinted,
  },
  {
    id: 'stream-busy',
    operation: 'v2.streamEvents',
    requirement: 'waits before it reconnects to a stream',
    hint: 'Waits for `Retry-After`, or briefly after a dropped connection, before it reconnects. Exiting with an error is also accepted.',
    task: 'watch-events',
    ...uncutEvents,
    rounds: [
      { fault: { ...streaming, fault: 'status', parameters: { code: 503, retryAfter: 2 }, times: 2 } },
      { fault: { ...streaming, fault: 'drop', times: 5 } },
    ],
    problem: (outcome) =>
      expectFullWaits(outcome) ?? expectBounded(outcome) ?? expectPrintedOrFailure(outcome),
  },
  receiving(
    'webhook-accepted',
    'accepts a webhook signed by the store',
    'Verifies the signature over id, timestamp and raw body, and responds with 2xx.',
    ['signed', 'late', 'early', 'last'],
    { late: 'a delivery dated 30 seconds ago', early: 'a delivery dated 30 seconds ahead' },
  ),
  receiving(
    'webhook-raw-body',
    'verifies the raw body',
    'Verifies the bytes before parsing them: JSON that is parsed and serialized again has different bytes.',
    ['unusual', 'last'],
    { unusual: 'a signed delivery with unusual JSON' },
  ),
  receiving(
    'webhook-forged',
    'rejects a forged webhook',
    'Compares the whole signature, responds with 4xx if none is valid, and does nothing else.',
    [
      'forged',
      'wrong-end',
      'wrong-middle',
      'wrong-start',
      'wrong-case',
      'cut-off',
      'empty',
      'forged-text',
      'last',
    ],
    {
      forged: 'a forged delivery',
      'forged-text': 'a forged delivery that is not JSON',
      'wrong-case': 'a delivery whose signature is in the wrong case',
      'wrong-end': 'a delivery whose signature has a wrong end',
      'wrong-middle': 'a delivery whose signature has a wrong middle',
      'wrong-start': 'a delivery whose signature has a wrong beginning',
      'cut-off': 'a delivery with only the first six characters of its signature',
      empty: 'a delivery with an empty signature',
    },
  ),
  receiving(
    'webhook-unsigned',
    'rejects a webhook without a signature',
    'Responds with 4xx if `webhook-signature` is missing.',
    ['unsigned', 'last'],
    { unsigned: 'an unsigned delivery' },
  ),
  receiving(
    'webhook-tampered',
    'rejects a webhook whose body was changed',
    'The signature covers the body: changing it invalidates the signature.',
    ['tampered', 'last'],
    { tampered: 'a delivery whose body was changed' },
  ),
  receiving(
    'webhook-rolled',
    'handles rolled secrets',
    'Accepts a delivery if one of its signatures is valid; rejects one signed with the old secret alone.',
    ['rolled', 'rolled-first', 'rolled-twice', 'old-secret', 'last'],
    {
      'rolled-twice': 'a delivery signed with two old secrets and the new one',
      'rolled-first': 'a delivery signed with the new and the old secret',
      rolled: 'a delivery signed with the old and the new secret',
      'old-secret': 'a delivery signed with the old secret',
    },
  ),
  receiving(
    'webhook-stale',
    'rejects a webhook that is older than five minutes',
    'Responds with 4xx if `webhook-timestamp` is off by more than five minutes: it may be a replay.',
    ['stale', 'last'],
    { stale: 'a stale delivery' },
  ),
  {
    ...receiving(
      'webhook-future',
      'rejects a webhook dated in the future',
      'Responds with 4xx if `webhook-timestamp` is off by more than five minutes, in either direction.',
      ['future', 'last'],
      { future: 'a delivery dated just over five minutes ahead' },
    ),
    // A client on a busy machine may read the message so late that its timestamp is no longer too far ahead.
    attempts: 3,
    isInconclusive: (problem) => /^it returned \d+ for a delivery dated/.test(problem),
  },
  receiving(
    'webhook-undated',
    'rejects a webhook without a timestamp',
    'Responds with 4xx if `webhook-timestamp` is missing: it could be replayed at any time.',
    ['undated', 'last'],
    { undated: 'a delivery without a timestamp' },
  ),
  receiving(
    'webhook-twice',
    'processes a repeated delivery once',
    'Stores `webhook-id`: responds with 2xx again, without processing it again.',
    ['signed', 'other', 'same-again', 'last'],
    { 'same-again': 'the same delivery' },
  ),
];
