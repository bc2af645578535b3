import { setTimeout as wait } from 'node:timers/promises';
import { advise, fail, skip } from '../finding.ts';
import type { ReceivedRequest } from '../origin/received-request.ts';
import type { Question } from '../question.ts';
import { errorOf, json, list, orders } from '../responses.ts';
import { describe, type Request, type Stage } from '../stage.ts';
import { mustBeError } from './expect.ts';

const group = 'Changes';
const cancel: Request = { method: 'DELETE', path: '/v1/store/orders/2' };
const place: Request = {
  method: 'POST',
  path: '/v2/store/orders',
  headers: [['Content-Type', 'application/json']],
  body: '{"petId":1,"quantity":1}',
};

const reset: Request = { ...place, path: '/v2/sandbox/reset', body: '{"dataSet":"large"}' };

/** Sends a change several times, losing its response, until the gateway repeats one. Returns the attempts of that one; none if it never does. */
async function attemptsAfterLoss(stage: Stage, request: Request): Promise<readonly ReceivedRequest[]> {
  for (const lose of ['close', 'reset', 'close', 'reset'] as const) {
    // The reads before it leave an idle origin connection, which the gateway may reuse for the change.
    const response = await stage.sendWhenReady(request, (reply) => reply[lose]());
    if (stage.received.length === 0) fail(`it did not reach the origin: ${describe(response)}`);
    if (stage.received.length > 1) return [...stage.received];
  }
  return [];
}

export const changes: readonly Question[] = [
  {
    id: 'delete-once',
    group,
    ask: 'sends a DELETE once, even if its response is lost',
    expectation: 'Never repeats it: a second attempt at a successful cancel gets 404.',
    when: 'failing',
    async run(stage) {
      const { length } = await attemptsAfterLoss(stage, cancel);
      if (length > 1)
        fail(`the origin received the DELETE ${length} times: a cancel that succeeded is reported as 404`);
    },
  },
  {
    id: 'post-once',
    group,
    ask: 'sends a POST once, even if its response is lost',
    expectation: 'Never repeats it: the second attempt places a second order.',
    when: 'failing',
    async run(stage) {
      const { length } = await attemptsAfterLoss(stage, place);
      if (length > 1) fail(`the origin received the POST ${length} times: ${length} orders were placed`);
    },
  },
  {
    id: 'post-with-key',
    group,
    ask: 'never repeats a POST without its Idempotency-Key',
    expectation: 'Sends it once, or with the same `Idempotency-Key` on each attempt.',
    when: 'failing',
    async run(stage) {
      const headers = [...(place.headers ?? []), ['Idempotency-Key', 'order-17'] as const];
      const attempts = await attemptsAfterLoss(stage, { ...place, headers });
      if (attempts.length === 0) return;
      if (attempts.some((one) => one.header('idempotency-key') !== 'order-17'))
        fail(`the origin received the POST ${attempts.length} times, not always with its Idempotency-Key`);
      advise(`repeats a POST that has an Idempotency-Key (${attempts.length} attempts)`);
    },
  },
  {
    id: 'rejected-change-once',
    group,
    ask: 'sends a change once if the origin responds with 500 or 503',
    expectation: 'Forwards the response: the client decides whether to repeat the change.',
    when: 'failing',
    async run(stage) {
      for (const status of [503, 500]) {
        for (const request of [place, cancel]) {
          const error = json(status, errorOf(status, 'unavailable', 'Try again shortly.'));
          const response = await stage.sendWhenReady(request, error);
          const { length } = stage.received;
          if (length > 1)
            fail(`after a ${status}, the origin received the ${request.method} ${length} times`);
          if (length === 0) fail(`the ${request.method} did not reach the origin: ${describe(response)}`);
        }
      }
    },
  },
  {
    id: 'lost-change-fails',
    group,
    ask: 'reports a change whose response was lost',
    expectation: 'Responds with 502 or 504 and a body that says so, or closes the connection.',
    when: 'failing',
    async run(stage) {
      for (const lose of ['close', 'reset'] as const) {
        const response = await stage.sendWhenReady(cancel, (reply) => reply[lose]());
        if (!response.isOver) fail(`no response within ${stage.settings.responseTimeout / 1000} s`);
        mustBeError(response);
      }
    },
  },
  {
    id: 'lost-read',
    group,
    ask: 'repeats or reports a read whose response was lost',
    expectation: 'Repeats it, which is safe, or responds with 502.',
    when: 'failing',
    async run(stage) {
      const response = await stage.sendWhenReady({}, (reply) => {
        if (stage.received.length === 1) reply.close();
        else reply.respond(list('7'));
      });
      if (!response.isOver) fail(`no response within ${stage.settings.responseTimeout / 1000} s`);
      if (response.status === 200 && response.text === orders('7')) return;
      mustBeError(response);
      advise('does not repeat a read whose response was lost, although that is safe');
    },
  },
  {
    id: 'hanging-change',
    group,
    ask: 'gives up on an origin that hangs, without repeating the change',
    expectation: 'Responds with 504 after at most 60 seconds.',
    when: 'first',
    async run(stage) {
      const { originTimeout, limit } = stage.settings;
      // Never responds.
      stage.respond(() => {});
      const response = await stage.send(cancel, undefined, Math.min(originTimeout, limit));
      if (stage.received.length === 0) fail(`it did not reach the origin: ${describe(response)}`);
      if (stage.received.length > 1) fail(`the origin received the DELETE ${stage.received.length} times`);
      if (!response.isOver) {
        if (limit < originTimeout)
          skip(`no response within ${limit / 1000} s; --timeout ${originTimeout / 1000} allows more`);
        fail(`no response within ${originTimeout / 1000} s`);
      }
      mustBeError(response);
    },
  },
  {
    id: 'late-response',
    group,
    ask: 'waits for a slow response',
    expectation: 'Waits: the service may take seven seconds, longer for a reset.',
    when: 'first',
    async run(stage) {
      const { responseDelay, responseTimeout, limit } = stage.settings;
      if (limit < responseDelay) skip(`takes ${responseDelay / 1000} s; --timeout allows ${limit / 1000}`);
      stage.respond(async (reply) => {
        await wait(responseDelay);
        reply.respond(json(200, '{"dataSet":"large"}'));
      });
      const response = await stage.send(reset, undefined, responseDelay + responseTimeout);
      if (stage.received.length > 1) fail(`the origin received the POST ${stage.received.length} times`);
      if (response.status !== 200)
        fail(
          `the origin responded with 200 after ${responseDelay / 1000} s; the client received ${describe(response)}`,
        );
    },
  },
];
