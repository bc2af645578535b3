import { setTimeout as wait } from 'node:timers/promises';
import { advise, fail, skip } from '../finding.ts';
import { describe, type Fixture, type Request } from '../fixture.ts';
import type { ReceivedRequest } from '../origin/received-request.ts';
import type { Question } from '../question.ts';
import { errorOf, json, list, orders } from '../responses.ts';
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
async function attemptsAfterLoss(fixture: Fixture, request: Request): Promise<readonly ReceivedRequest[]> {
  for (const lose of ['close', 'reset', 'close', 'reset'] as const) {
    // The reads before it leave an idle origin connection, which the gateway may reuse for the change.
    const response = await fixture.sendWhenReady(request, (reply) => reply[lose]());
    if (fixture.received.length === 0) fail(`it did not reach the origin: ${describe(response)}`);
    if (fixture.received.length > 1) return [...fixture.received];
  }
  return [];
}

export const changes: readonly Question[] = [
  {
    id: 'delete-once',
    group,
    requirement: 'sends a DELETE once, even if its response is lost',
    hint: 'Never repeats it: a second attempt at a successful cancel gets 404.',
    when: 'failing',
    async run(fixture) {
      const { length } = await attemptsAfterLoss(fixture, cancel);
      if (length > 1)
        fail(`the origin received the DELETE ${length} times: a cancel that succeeded is reported as 404`);
    },
  },
  {
    id: 'post-once',
    group,
    requirement: 'sends a POST once, even if its response is lost',
    hint: 'Never repeats it: the second attempt places a second order.',
    when: 'failing',
    async run(fixture) {
      const { length } = await attemptsAfterLoss(fixture, place);
      if (length > 1) fail(`the origin received the POST ${length} times: ${length} orders were placed`);
    },
  },
  {
    id: 'post-with-key',
    group,
    requirement: 'never repeats a POST without its Idempotency-Key',
    hint: 'Sends it once, or with the same `Idempotency-Key` on each attempt.',
    when: 'failing',
    async run(fixture) {
      const headers = [...(place.headers ?? []), ['Idempotency-Key', 'order-17'] as const];
      const attempts = await attemptsAfterLoss(fixture, { ...place, headers });
      if (attempts.length === 0) return;
      if (attempts.some((one) => one.header('idempotency-key') !== 'order-17'))
        fail(`the origin received the POST ${attempts.length} times, not always with its Idempotency-Key`);
      advise(`repeats a POST that has an Idempotency-Key (${attempts.length} attempts)`);
    },
  },
  {
    id: 'rejected-change-once',
    group,
    requirement: 'sends a change once if the origin responds with 500 or 503',
    hint: 'Forwards the response: the client decides whether to repeat the change.',
    when: 'failing',
    async run(fixture) {
      for (const status of [503, 500]) {
        for (const request of [place, cancel]) {
          const error = json(status, errorOf(status, 'unavailable', 'Try again shortly.'));
          const response = await fixture.sendWhenReady(request, error);
          const { length } = fixture.received;
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
    requirement: 'reports a change whose response was lost',
    hint: 'Responds with 502 or 504 and a body that says so, or closes the connection.',
    when: 'failing',
    async run(fixture) {
      let advice: string | undefined;
      for (const lose of ['close', 'reset'] as const) {
        const response = await fixture.sendWhenReady(cancel, (reply) => reply[lose]());
        if (!response.isOver) fail(`no response within ${fixture.settings.responseTimeout / 1000} s`);
        advice = mustBeError(response) ?? advice;
      }
      if (advice !== undefined) advise(advice);
    },
  },
  {
    id: 'lost-read',
    group,
    requirement: 'repeats or reports a read whose response was lost',
    hint: 'Repeats it, which is safe, or responds with 502.',
    when: 'failing',
    async run(fixture) {
      const response = await fixture.sendWhenReady({}, (reply) => {
        if (fixture.received.length === 1) reply.close();
        else reply.respond(list('7'));
      });
      if (!response.isOver) fail(`no response within ${fixture.settings.responseTimeout / 1000} s`);
      if (response.status === 200 && response.text === orders('7')) return;
      advise(
        mustBeError(response) ?? 'does not repeat a read whose response was lost, although that is safe',
      );
    },
  },
  {
    id: 'hanging-change',
    group,
    requirement: 'gives up on an origin that hangs, without repeating the change',
    hint: 'Responds with 504 after at most 60 seconds.',
    when: 'first',
    async run(fixture) {
      const { originTimeout, limit } = fixture.settings;
      // Never responds.
      fixture.respond(() => {});
      const response = await fixture.send(cancel, undefined, Math.min(originTimeout, limit));
      if (fixture.received.length === 0) fail(`it did not reach the origin: ${describe(response)}`);
      if (fixture.received.length > 1)
        fail(`the origin received the DELETE ${fixture.received.length} times`);
      if (!response.isOver) {
        if (limit < originTimeout)
          skip(`no response within ${limit / 1000} s; --timeout ${originTimeout / 1000} allows more`);
        fail(`no response within ${originTimeout / 1000} s`);
      }
      const advice = mustBeError(response);
      if (advice !== undefined) advise(advice);
    },
  },
  {
    id: 'late-response',
    group,
    requirement: 'waits for a slow response',
    hint: 'Waits: the service may take seven seconds, longer for a reset.',
    when: 'first',
    async run(fixture) {
      const { responseDelay, responseTimeout, limit } = fixture.settings;
      if (limit < responseDelay) skip(`takes ${responseDelay / 1000} s; --timeout allows ${limit / 1000}`);
      fixture.respond(async (reply) => {
        await wait(responseDelay);
        reply.respond(json(200, '{"dataSet":"large"}'));
      });
      const response = await fixture.send(reset, undefined, responseDelay + responseTimeout);
      if (fixture.received.length > 1) fail(`the origin received the POST ${fixture.received.length} times`);
      if (response.status !== 200)
        fail(
          `the origin responded with 200 after ${responseDelay / 1000} s; the client received ${describe(response)}`,
        );
    },
  },
];
