import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus } from '../../expect.ts';
import { idsOf, objectOf, pageOf } from '../../v2.ts';
import { type Delivery, hasAttempt, ownWebhooks } from './own-webhooks.ts';
import { sectionOf } from './section.ts';

/** Responses of a receiver, in the order in which a message is redelivered. More than the stored attempts. */
const statuses = [300, 307, 400, 401, 404, 409, 429, 500, 503, 200, 202, 299];
const MAX_ATTEMPTS = 8;
/** The responses of two attempts of 1 KB each are stored. */
const STORED_ANSWERS = 2;
/** More deliveries than eight processes, with 8 each, run at a time. */
const MANY = 65;
const MAX_UNFINISHED = 1_000;
/** Requests that are sent at the same time. */
const CONCURRENCY = 50;
const MAX_URL_LENGTH = 2_000;
const STORED_URL_LENGTH = 300;
const MAX_TRACESTATE_LENGTH = 512;
const [zeroTrace, zeroSpan] = ['0'.repeat(32), '0'.repeat(16)];

/** What an attempt does and shows, and the limits of deliveries. */
export function deliveryChecks(suite: Suite, context: Context): void {
  const { v2, client } = context;
  const { check } = sectionOf(suite, v2, 'webhooks', 'webhooks', 'post /webhooks');
  const { receiver, open, deliveries, remove } = ownWebhooks(context);
  type Webhook = Awaited<ReturnType<typeof open>>;
  const test = async ({ path }: Webhook) => objectOf(await v2.send('POST', `${path}/test`), 202);
  const redeliver = ({ path }: Webhook, id: unknown) => v2.send('POST', `${path}/deliveries/${id}/redeliver`);
  const lastStatus = (found: readonly Delivery[]) => found[0]?.attempts.at(-1)?.status;
  /** Expects a retry as after the first attempt of a new delivery. */
  const expectRetry = ({ status, attempts, nextAttemptAt }: Delivery, where: string) => {
    equal(status, 'pending', 'the status of the delivery', where);
    const wait = Date.parse(String(nextAttemptAt)) - Date.parse(String(attempts.at(-1)?.at));
    ensure(wait > 2_000 && wait < 15_000, 'the next attempt after about 5 seconds', `${wait} ms`, where);
  };

  check(
    'outcomes',
    '2xx is a success, anything else is retried; a redelivery has “the retries of a new delivery”; “up to the last eight attempts” are listed',
    async () => {
      const webhook = await open('/outcomes');
      const { setResponse, urlOf } = await receiver();
      const where = `GET ${webhook.path}/deliveries`;
      const answer = 'answer '.repeat(200);
      let last: Delivery | undefined;
      for (const [index, status] of statuses.entries()) {
        setResponse('/outcomes', status, { Location: urlOf('/outcomes-elsewhere') }, answer);
        if (index === 0) await test(webhook);
        else expectStatus(await redeliver(webhook, last?.id), 202);
        const found = await deliveries(webhook, (list) => lastStatus(list) === BigInt(status));
        [last] = found;
        equal([found.length, lastStatus(found)], [1, BigInt(status)], 'deliveries, and last status', where);
        if (status >= 300) expectRetry(found[0] as Delivery, `${where} after ${status}`);
        else
          equal(
            [last?.status, last?.nextAttemptAt],
            ['delivered', null],
            `after ${status}, the delivery`,
            where,
          );
      }
      const attempts = last?.attempts ?? [];
      equal(attempts.length, MAX_ATTEMPTS, 'the number of attempts:', where);
      const listed = attempts.map((attempt) => Number(attempt.status));
      // A slow run may have had a retry in between.
      const distinct = listed.filter((status, index) => status !== listed[index - 1]);
      equal(distinct, statuses.slice(-distinct.length), 'the statuses of the attempts', where);
      const stored = attempts.map(({ answer: text }) => text);
      const expected = attempts.map((_, index) =>
        index < MAX_ATTEMPTS - STORED_ANSWERS ? null : answer.slice(0, 1024),
      );
      equal(stored, expected, '`answer` of each attempt', where);
      await remove(webhook);
    },
  );
  check(
    'no-response',
    'without a response, `status` and `answer` are null and `error` says why; `url` is that of the attempt, up to 300 characters',
    async () => {
      const { setResponse, urlOf } = await receiver();
      const path = '/no-response?'.padEnd(MAX_URL_LENGTH - urlOf('').length, 'x');
      const webhook = await open(path);
      const where = `GET ${webhook.path}/deliveries`;
      equal(objectOf(webhook.response, 201).url, urlOf(path), 'the URL', webhook.response.request);
      setResponse(path, 0);
      const { id } = await test(webhook);
      const [failed] = await deliveries(webhook, hasAttempt);
      const { status, answer, error, url } = failed?.attempts[0] ?? {};
      equal(
        [status, answer, url],
        [null, null, urlOf(path).slice(0, STORED_URL_LENGTH)],
        'the attempt',
        where,
      );
      ensure(typeof error === 'string' && error.trim() !== '', 'an `error`', error, where);
      expectRetry(failed as Delivery, where);
      const other = urlOf('/response');
      expectStatus(await v2.send('PATCH', webhook.path, JSON.stringify({ url: other })), 200);
      expectStatus(await redeliver(webhook, id), 202);
      const [done] = await deliveries(webhook, (found) => lastStatus(found) === 204n);
      const urls = done?.attempts.map((attempt) => attempt.url) ?? [];
      equal([urls[0], urls.at(-1)], [url, other], 'the URLs of the attempts', where);
      await remove(webhook);
    },
  );
  check(
    'at-a-time',
    '“up to 8 deliveries run at a time per process”; a slow receiver delays no other webhook',
    async () => {
      const [slow, quick] = [await open('/slow'), await open('/quick')];
      const { hold, received, wait } = await receiver();
      const release = hold('/slow');
      await Promise.all(Array.from({ length: MANY }, () => test(slow)));
      await wait('/slow');
      await test(quick);
      await wait('/quick');
      await pause(300);
      const running = received('/slow').length;
      ensure(running < MANY, `fewer than ${MANY} messages at a time`, running);
      release();
      const ids = (await wait('/slow', MANY)).map(({ headers }) => headers['webhook-id']);
      equal(new Set(ids).size, MANY, 'the number of different webhook-ids:');
      const found = await deliveries(slow, (list) => list.every(({ status }) => status === 'delivered'));
      const durations = found.flatMap(({ attempts }) => attempts.map(({ durationMs }) => Number(durationMs)));
      const first = pageOf(await v2.get(`${slow.path}/deliveries?limit=1000`)).data.at(-1) as Delivery;
      durations.push(...first.attempts.map(({ durationMs }) => Number(durationMs)));
      const longest = Math.max(...durations);
      ensure(longest >= 250, 'a `durationMs` of at least 250', longest, `GET ${slow.path}/deliveries`);
      await remove(slow);
      await remove(quick);
    },
  );
  check(
    'redelivery-during-attempt',
    'a redelivery “requested during an attempt is sent immediately and replaces that attempt’s result”',
    async () => {
      const webhook = await open('/during');
      const { hold, setResponse, wait } = await receiver();
      const where = `GET ${webhook.path}/deliveries`;
      setResponse('/during', 500);
      const release = hold('/during');
      const { id } = await test(webhook);
      await wait('/during');
      expectStatus(await redeliver(webhook, id), 202);
      await wait('/during', 2);
      release();
      const [failed] = await deliveries(webhook, hasAttempt);
      equal(failed?.attempts.length, 1, 'the number of attempts:', where);
      setResponse('/during', 503);
      const releaseNext = hold('/during');
      expectStatus(await redeliver(webhook, id), 202);
      await wait('/during', 3);
      // The response to the third message is already determined: 503, sent later.
      setResponse('/during', 204);
      const releaseLast = hold('/during');
      expectStatus(await redeliver(webhook, id), 202);
      await wait('/during', 4);
      releaseLast();
      const statusesOf = (found: readonly Delivery[]) => found[0]?.attempts.map(({ status }) => status);
      await deliveries(webhook, (found) => lastStatus(found) === 204n);
      releaseNext();
      await pause(300);
      const [done] = await deliveries(webhook, hasAttempt);
      equal(
        [done?.status, done?.nextAttemptAt, statusesOf(done ? [done] : [])],
        ['delivered', null, [500n, 204n]],
        'the delivery',
        where,
      );
      await remove(webhook);
    },
  );
  check(
    'unfinished',
    `with ${MAX_UNFINISHED} unfinished deliveries, a test or redelivery is 409 \`delivery_limit_reached\`; unfinished ones can be redelivered`,
    async () => {
      const webhook = await open('/unfinished');
      const { id: finished } = await test(webhook);
      await deliveries(webhook, hasAttempt);
      expectStatus(await v2.send('PATCH', webhook.path, '{"active":false}'), 200);
      const call = { method: 'POST', prefix: client.v2, path: `${webhook.path}/test`, isUnrecorded: true };
      for (let sent = 0; sent < MAX_UNFINISHED; sent += CONCURRENCY) {
        const responses = await Promise.all(Array.from({ length: CONCURRENCY }, () => client.send(call)));
        for (const response of responses) expectStatus(response, 202);
      }
      expectError(await v2.send('POST', `${webhook.path}/test`), 409, 'delivery_limit_reached');
      expectError(await redeliver(webhook, finished), 409, 'delivery_limit_reached');
      expectStatus(await redeliver(webhook, Number(finished) + 1), 202);
      const { items } = await v2.walk(`${webhook.path}/deliveries?limit=1000`);
      equal(items.length, MAX_UNFINISHED + 1, 'the number of deliveries:', `GET ${webhook.path}/deliveries`);
      equal(idsOf(items).at(-1), finished, 'the oldest delivery', `GET ${webhook.path}/deliveries`);
      await remove(webhook);
    },
  );
  check(
    'traces',
    'each change passes on its `traceparent`; an invalid one counts as absent, and `tracestate` is only sent with a valid one',
    async () => {
      const webhook = await open('/traces', null);
      const { wait } = await receiver();
      const own = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
      const expected: (string | undefined)[] = [];
      const states: (string | undefined)[] = [];
      /** Sends a change; the event must have this trace and state. */
      const change = async (
        send: (headers: Record<string, string>) => Promise<{ text: string; status: number }>,
        { traceparent = '', tracestate = '' },
        hasTrace: boolean,
        state?: string,
      ) => {
        const headers = { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) };
        const response = await send(headers);
        ensure(response.status < 300, 'a success', response.text);
        expected.push(hasTrace ? traceparent.split('-')[1] : undefined);
        states.push(state);
        return response;
      };
      const newTrace = () => ({
        traceparent: own.replace(/-\w{32}-/, `-${randomBytes(16).toString('hex')}-`),
      });
      const json = { 'Content-Type': 'application/json' };
      const v2Change = (method: string, path: string, body?: string) =>
        change((headers) => v2.send(method, path, body, { ...(body && json), ...headers }), newTrace(), true);
      const placed = async () => {
        const { text } = await v2Change('POST', '/store/orders', `{"petId":${petId},"quantity":1}`);
        return Number(JSON.parse(text).id);
      };
      const created = await v2Change('POST', '/pets', '{"name":"Ada","category":"acceptance","stock":50}');
      const petId = Number(JSON.parse(created.text).id);
      const [first, second, third] = [await placed(), await placed(), await placed()];
      await v2Change('POST', `/store/orders/${first}/ship`);
      await v2Change('POST', `/store/orders/${first}/deliver`);
      await v2Change('DELETE', `/store/orders/${second}`);
      const cancelInV1 = (headers: Record<string, string>) =>
        client.send({ method: 'DELETE', path: `/store/orders/${third}`, headers });
      await change(cancelInV1, newTrace(), true);
      const patch = (headers: Record<string, string>) =>
        v2.send('PATCH', `/pets/${petId}`, '{"stock":0}', { ...json, ...headers });
      const place = (headers: Record<string, string>) =>
        v2.tryToPlace(`{"petId":${petId},"quantity":1}`, headers);
      const tracestate = 'a=1,b=2';
      for (const traceparent of [
        own.replace(/-\w{32}-/, `-${zeroTrace}-`),
        own.replace(/-\w{16}-/, `-${zeroSpan}-`),
        own.replace(/^00/, 'ff'),
        own.slice(0, -5),
        own.replace(/-\w{4}/, '-xyz!'),
        '',
      ])
        await change(place, { traceparent, tracestate }, false);
      const longest = `a=${'x'.repeat(200)},b=`.padEnd(MAX_TRACESTATE_LENGTH, 'y');
      await change(place, { traceparent: own, tracestate: longest }, true, longest);
      const firstEntry = longest.split(',')[0];
      await change(place, { traceparent: own, tracestate: `${longest}y` }, true, firstEntry);
      await change(patch, {}, false);
      const messages = (await wait('/traces', expected.length)).toSorted(
        (a, b) => Number(a.event.id) - Number(b.event.id),
      );
      equal(
        messages.map(({ headers }) => headers.traceparent?.split('-')[1]),
        expected,
        'the traces of the events',
      );
      equal(
        messages.map(({ headers }) => headers.tracestate),
        states,
        '`tracestate` of the events',
      );
      await remove(webhook);
    },
  );
}
