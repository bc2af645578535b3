import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectNoBody, expectStatus, headerOf } from '../../expect.ts';
import { type Fields, idsOf, objectOf, pageOf } from '../../v2.ts';
import { expectSigned } from '../../webhooks.ts';
import { expectNow } from '../table/scene.ts';
import { createHistory, revisionOf } from './events.ts';
import { type Delivery, hasAttempt, ownWebhooks, repeatedHeaders } from './own-webhooks.ts';
import { sectionOf } from './section.ts';

const types =
  'order.placed order.shipped order.delivered order.cancelled pet.created pet.changed store.reset'.split(' ');

/** After this time, `webhook-timestamp` is a later second. */
const NEXT_SECOND_MS = 1_000;

export function webhookChecks(suite: Suite, context: Context): void {
  const { v2, client } = context;
  const { check } = sectionOf(suite, v2, 'webhooks', 'webhooks', 'post /webhooks');
  const { receiver, create, open, deliveries, remove } = ownWebhooks(context);
  const pet = once(() => v2.newPet(100));

  check('list', 'the list has every webhook, as returned by `GET` of each', async () => {
    const opened = [await open('/one'), await open('/two')];
    const { data, nextCursor } = pageOf(await v2.get('/webhooks'));
    equal(nextCursor, null, 'nextCursor', 'GET /webhooks');
    for (const webhook of opened) {
      const alone = objectOf(await v2.get(webhook.path));
      const listed = data.find(({ id }) => id === alone.id);
      equal(listed, alone, 'the webhook', 'GET /webhooks');
      expectStatus(await remove(webhook), 204);
    }
  });
  check(
    'create',
    'creating a webhook is 201 with `id` and the secret (`whsec_…`); `types` are all by default',
    async () => {
      const { urlOf } = await receiver();
      const response = await create(`{"url":"${urlOf('/create')}"}`);
      const { id, secret, ...rest } = objectOf(response, 201);
      expectNow(rest.createdAt, response);
      equal(rest, { ...rest, url: urlOf('/create'), types, active: true }, 'the webhook', response.request);
      ensure(
        /^whsec_[A-Za-z0-9+/]{32,}=*$/.test(String(secret)),
        'a secret whsec_…',
        'a secret of a different format',
        response.request,
      );
      const { pathname } = new URL(headerOf(response, 'Location'), client.base);
      equal(pathname, `${client.v2}/webhooks/${id}`, 'Location', response.request);
      expectStatus(await v2.send('DELETE', `/webhooks/${id}`), 204);
    },
  );
  check(
    'secret-once',
    'the secret is shown once: neither the webhook nor the list returns it again',
    async () => {
      const webhook = await open('/secret');
      for (const path of [webhook.path, '/webhooks', `${webhook.path}/deliveries`]) {
        const response = await v2.get(path);
        expectStatus(response, 200);
        ensure(!response.text.includes(webhook.secret.slice(6)), 'no secret', 'the secret', response.request);
      }
      await remove(webhook);
    },
  );
  check(
    'delivery',
    'an event is sent by POST, signed per Standard Webhooks; it is the same object as in the page of events',
    async () => {
      const webhook = await open('/delivery');
      const petId = await pet();
      const since = await revisionOf(v2);
      await v2.place(petId);
      const [message] = await (await receiver()).wait('/delivery');
      if (message === undefined) return;
      expectSigned(message, webhook.secret);
      equal(
        [message.method, message.headers['content-type']?.split(';')[0]],
        ['POST', 'application/json'],
        'method and content type',
      );
      equal(message.event, pageOf(await v2.get(`/store/events?after=${since}&limit=1`)).data[0], 'the event');
      await remove(webhook);
    },
  );
  check('types', 'only the selected types are sent', async () => {
    const webhook = await open('/types', ['order.cancelled']);
    const { id } = await v2.place(await pet());
    expectStatus(await v2.send('DELETE', `/store/orders/${id}`), 204);
    await (await receiver()).wait('/types');
    const sent = await deliveries(webhook, hasAttempt);
    equal(
      sent.map(({ event }) => event.type),
      ['order.cancelled'],
      'the types sent',
    );
    await remove(webhook);
  });
  check('test', '`…/test` is 202 and sends a signed `webhook.test` with `id` `0`', async () => {
    const webhook = await open('/test');
    expectStatus(await v2.send('POST', `${webhook.path}/test`), 202);
    const [message] = await (await receiver()).wait('/test');
    if (message === undefined) return;
    expectSigned(message, webhook.secret);
    equal([message.event.type, message.event.id], ['webhook.test', '0'], 'type and id');
    await remove(webhook);
  });
  check('roll-secret', '`…/roll-secret` returns a new secret once; both sign for a while', async () => {
    const webhook = await open('/roll');
    const { secret } = objectOf(await v2.send('POST', `${webhook.path}/roll-secret`));
    ensure(secret !== webhook.secret, 'a new secret', 'the same secret');
    expectStatus(await v2.send('POST', `${webhook.path}/test`), 202);
    const [message] = await (await receiver()).wait('/roll');
    if (message) expectSigned(message, String(secret), webhook.secret);
    await remove(webhook);
  });
  check('deliveries', '`…/deliveries` lists each attempt: time, status, duration, next attempt', async () => {
    const webhook = await open('/log');
    await v2.place(await pet());
    const [delivery] = await deliveries(webhook, hasAttempt);
    const [message] = await (await receiver()).wait('/log');
    equal(delivery?.event, message?.event, 'the event', `GET ${webhook.path}/deliveries`);
    const { event, attempts, nextAttemptAt, status } = delivery ?? ({} as Delivery);
    equal([event?.type, status, nextAttemptAt], ['order.placed', 'delivered', null], 'the delivery');
    equal([attempts?.length, attempts?.[0]?.status], [1, 204n], 'the attempts');
    await remove(webhook);
  });
  check('newest-first', 'deliveries are paginated, newest first', async () => {
    const webhook = await open('/pages');
    for (let count = 0; count < 3; count += 1) await v2.place(await pet());
    const all = await deliveries(webhook, (found) => found.length === 3);
    const ids = all.map(({ event }) => BigInt(String(event.id)));
    equal(
      ids,
      ids.toSorted((a, b) => (a > b ? -1 : 1)),
      'the events',
    );
    equal(idsOf(all), [3n, 2n, 1n], 'the ids, which start at 1 for each webhook,');
    equal(idsOf((await v2.walk(`${webhook.path}/deliveries?limit=2`)).items), idsOf(all), 'the pages');
    await remove(webhook);
  });
  check(
    'redeliver',
    '`…/redeliver` is 202 and sends the same message with the same `webhook-id`',
    async () => {
      const webhook = await open('/again');
      await v2.place(await pet());
      const [delivery] = await deliveries(webhook, hasAttempt);
      expectStatus(await v2.send('POST', `${webhook.path}/deliveries/${delivery?.id}/redeliver`), 202);
      const [first, second] = await (await receiver()).wait('/again', 2);
      equal(
        [second?.body, second?.headers['webhook-id']],
        [first?.body, first?.headers['webhook-id']],
        'the message',
      );
      await remove(webhook);
    },
  );
  check(
    'redelivery-headers',
    'a redelivery is signed again with its own time, and repeats the other headers of the first delivery',
    async () => {
      const webhook = await open('/headers');
      await v2.place(await pet());
      const [delivery] = await deliveries(webhook, hasAttempt);
      await pause(NEXT_SECOND_MS);
      expectStatus(await v2.send('POST', `${webhook.path}/deliveries/${delivery?.id}/redeliver`), 202);
      const messages = await (await receiver()).wait('/headers', 2);
      for (const message of messages) expectSigned(message, webhook.secret);
      const [first = 0, second = 0] = messages.map(({ headers }) => Number(headers['webhook-timestamp']));
      ensure(second > first, `a webhook-timestamp after ${first}`, second);
      const comparable = messages.map(repeatedHeaders);
      equal(comparable[1], comparable[0], 'the headers');
      for (const name of ['content-type', 'content-length', 'user-agent', 'webhook-id', 'webhook-timestamp'])
        ensure(
          messages.every(({ headers }) => name in headers),
          `a header ${name}`,
          messages[0]?.headers,
        );
      await remove(webhook);
    },
  );
  check(
    'responses',
    'changing a webhook returns the webhook; a test or redelivery returns the delivery',
    async () => {
      const { urlOf } = await receiver();
      const webhook = await open('/responses');
      const { secret: first, ...created } = objectOf(webhook.response, 201);
      const expectShown = async (expected: Fields) => {
        equal(objectOf(await v2.get(webhook.path)), expected, 'the webhook', `GET ${webhook.path}`);
        const { data } = pageOf(await v2.get('/webhooks'));
        equal(
          data.find(({ id }) => id === created.id),
          expected,
          'the webhook',
          'GET /webhooks',
        );
      };
      await expectShown(created);
      equal(
        created,
        { ...created, url: urlOf('/responses'), types: ['order.placed'], active: true },
        'the webhook',
      );
      for (const change of [
        { types: ['pet.created', 'pet.changed'] },
        { active: false },
        { url: urlOf('/responses-2') },
        { active: true, types: ['order.placed'], url: urlOf('/responses') },
      ]) {
        const changed = objectOf(await v2.send('PATCH', webhook.path, JSON.stringify(change)));
        equal(
          changed,
          { ...objectOf(await v2.get(webhook.path)), ...change },
          'the webhook',
          `PATCH ${webhook.path}`,
        );
        await expectShown({ ...created, ...changed });
      }
      const { secret, ...rolled } = objectOf(await v2.send('POST', `${webhook.path}/roll-secret`));
      equal([rolled, secret === first], [created, false], 'the webhook', `POST ${webhook.path}/roll-secret`);
      await expectShown(created);
      const test = await v2.send('POST', `${webhook.path}/test`);
      const sent = objectOf(test, 202);
      const { id, type, data } = sent.event as Fields;
      equal([id, type, data], ['0', 'webhook.test', {}], 'the event', test.request);
      equal([sent.status, sent.attempts], ['pending', []], 'the delivery', test.request);
      for (const time of [sent.createdAt, (sent.event as Fields).at]) expectNow(time, test);
      const [done] = await deliveries(webhook, hasAttempt);
      equal([done?.id, done?.event, done?.createdAt], [sent.id, sent.event, sent.createdAt], 'the delivery');
      const again = await v2.send('POST', `${webhook.path}/deliveries/${sent.id}/redeliver`);
      const redelivered = objectOf(again, 202);
      equal(
        [redelivered.id, redelivered.event, redelivered.status, redelivered.createdAt, redelivered.attempts],
        [sent.id, sent.event, 'pending', sent.createdAt, done?.attempts],
        'the delivery',
        again.request,
      );
      const [attempt] = done?.attempts ?? [];
      equal(
        [attempt?.url, attempt?.status, attempt?.error],
        [urlOf('/responses'), 204n, null],
        'the attempt',
      );
      expectNow(attempt?.at, test);
      await (await receiver()).wait('/responses', 2);
      await remove(webhook);
    },
  );
  check(
    'other-types',
    'after a change of `types` and `url`, the new types are sent to the new URL; the list is oldest first',
    async () => {
      const { urlOf, received, wait } = await receiver();
      const [webhook, second] = [
        await open('/before', ['order.placed']),
        await open('/second', ['store.reset']),
      ];
      const change = { url: urlOf('/after'), types: ['pet.changed'] };
      expectStatus(await v2.send('PATCH', webhook.path, JSON.stringify(change)), 200);
      const petId = await v2.newPet(3);
      await v2.place(petId);
      expectStatus(await v2.send('PATCH', `/pets/${petId}`, '{"stock":7}'), 200);
      const sent = await wait('/after');
      equal(
        [sent.map(({ event }) => event.type), received('/before')],
        [['pet.changed'], []],
        'the messages',
      );
      const ids = idsOf(pageOf(await v2.get('/webhooks')).data).map(String);
      const own = [webhook, second].map(({ path }) => path.split('/').at(-1) ?? '');
      equal(
        ids.filter((id) => own.includes(id)),
        own,
        'the webhooks, oldest first',
        'GET /webhooks',
      );
      await remove(webhook);
      await remove(second);
    },
  );
  check(
    'every-type',
    'each change is sent as it is in the page of events, only to webhooks subscribed to its type, by default all',
    async () => {
      const everyPath = '/every?a=b%20c&d';
      const [every, some] = [
        await open(everyPath, null),
        await open('/some', ['order.shipped', 'pet.changed']),
      ];
      const { since, expectedEvents } = await createHistory(v2);
      const messages = await (await receiver()).wait(everyPath, expectedEvents.length);
      const events = pageOf(await v2.get(`/store/events?after=${since}&limit=${expectedEvents.length}`)).data;
      const sent = (list: readonly { event: Fields }[]) =>
        list
          .map(({ event }) => event)
          .toSorted((a, b) => Number(BigInt(String(a.id)) - BigInt(String(b.id))));
      equal(sent(messages), events, 'the messages');
      equal(
        new Set(messages.map(({ headers }) => headers['webhook-id'])).size,
        events.length,
        'different webhook-ids',
      );
      for (const message of messages) expectSigned(message, every.secret);
      const expected = events.filter(({ type }) => type === 'order.shipped' || type === 'pet.changed');
      equal(
        sent(await (await receiver()).wait('/some', expected.length)),
        expected,
        'the messages of two types',
      );
      await remove(every);
      await remove(some);
    },
  );
  check('retried', 'a non-2xx response is retried, and the next attempt is listed', async () => {
    const webhook = await open('/failing');
    (await receiver()).setResponse('/failing', 500);
    await v2.place(await pet());
    const [delivery] = await deliveries(webhook, hasAttempt);
    equal([delivery?.attempts[0]?.status, delivery?.status], [500n, 'pending'], 'the first attempt');
    const wait = Date.parse(String(delivery?.nextAttemptAt)) - Date.parse(String(delivery?.attempts[0]?.at));
    ensure(wait > 2_000 && wait < 15_000, 'a second attempt after about 5 seconds', `${wait} ms`);
    await remove(webhook);
  });
  check('answer', 'an attempt has the first 1 KB of the response body', async () => {
    const { setResponse } = await receiver();
    for (const [index, answer] of ['{"received":true}', 'answer '.repeat(200)].entries()) {
      const webhook = await open(`/answer-${index}`);
      setResponse(`/answer-${index}`, 200, {}, answer);
      expectStatus(await v2.send('POST', `${webhook.path}/test`), 202);
      const [delivery] = await deliveries(webhook, hasAttempt);
      equal(
        delivery?.attempts[0]?.answer,
        answer.slice(0, 1024),
        'the response body in `answer`',
        `GET ${webhook.path}/deliveries`,
      );
      await remove(webhook);
    }
  });
  check(
    'trace',
    '“the `traceparent` and `tracestate` … of a request are sent with its events, each attempt as a new span”',
    async () => {
      const webhook = await open('/trace');
      const [trace, span] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
      const headers = { traceparent: `00-${trace}-${span}-01`, tracestate: 'acceptance=1' };
      expectStatus(await v2.tryToPlace(`{"petId":${await pet()},"quantity":1}`, headers), 201);
      const { wait } = await receiver();
      const [first] = await wait('/trace');
      const [delivery] = await deliveries(webhook, hasAttempt);
      expectStatus(await v2.send('POST', `${webhook.path}/deliveries/${delivery?.id}/redeliver`), 202);
      const [, second] = await wait('/trace', 2);
      const sent = [first, second].map((message) => message?.headers);
      const spans = sent.map(
        (each) => new RegExp(`^00-${trace}-(\\w{16})-01$`).exec(each?.traceparent ?? '')?.[1],
      );
      ensure(
        spans.every((one) => one !== undefined) && new Set([span, ...spans]).size === 3,
        `a traceparent of ${trace} with a new span for each attempt`,
        sent.map((each) => each?.traceparent),
      );
      equal(
        sent.map((each) => each?.tracestate),
        ['acceptance=1', 'acceptance=1'],
        'tracestate',
      );
      await remove(webhook);
    },
  );
  check('redirects', 'redirects are not followed', async () => {
    const webhook = await open('/moved');
    const { setResponse, urlOf, received } = await receiver();
    setResponse('/moved', 307, { Location: urlOf('/elsewhere') });
    await v2.place(await pet());
    const [delivery] = await deliveries(webhook, hasAttempt);
    equal([delivery?.attempts[0]?.status, received('/elsewhere').length], [307n, 0], 'the attempt');
    await remove(webhook);
  });
  check('410', '410 deactivates the webhook, and the delivery has failed', async () => {
    const webhook = await open('/gone');
    (await receiver()).setResponse('/gone', 410);
    await v2.place(await pet());
    const [delivery] = await deliveries(webhook, hasAttempt);
    equal([delivery?.status, delivery?.nextAttemptAt], ['failed', null], 'the delivery');
    equal(objectOf(await v2.get(webhook.path)).active, false, '`active`');
    await remove(webhook);
  });
  check(
    'patch',
    '`PATCH` changes `url`, `types` and `active`; an inactive webhook receives nothing',
    async () => {
      const webhook = await open('/patched');
      const { urlOf } = await receiver();
      const change = `{"url":"${urlOf('/other')}","types":["order.placed","order.shipped"],"active":false}`;
      const changed = objectOf(await v2.send('PATCH', webhook.path, change));
      const expected = { url: urlOf('/other'), types: ['order.placed', 'order.shipped'], active: false };
      equal(changed, { ...changed, ...expected }, 'the webhook');
      equal(objectOf(await v2.get(webhook.path)), changed, 'the webhook');
      await v2.place(await pet());
      equal(pageOf(await v2.get(`${webhook.path}/deliveries`)).data, [], 'the deliveries');
      await remove(webhook);
    },
  );
  check(
    'invalid',
    'an invalid webhook is rejected: 422 `invalid_webhook_url`, 400 `invalid_body`',
    async () => {
      for (const url of ['ftp://example.com/', 'example.com', 'http://', '/hook']) {
        expectError(await create(`{"url":"${url}"}`), 422, 'invalid_webhook_url');
      }
      const url = '"url":"https://receiver.invalid/hook"';
      for (const body of [
        '{}',
        `{${url},"types":["order.lost"]}`,
        `{${url},"secret":"a"}`,
        '{"url":5}',
        '{',
      ]) {
        expectError(await create(body), 400, 'invalid_body');
      }
    },
  );
  check('delete', '`DELETE` is 204, and the webhook is 404 from then on, for every operation', async () => {
    const webhook = await open('/deleted');
    const response = await remove(webhook);
    expectStatus(response, 204);
    expectNoBody(response);
    for (const path of [webhook.path, '/webhooks/wh_nobody']) {
      expectError(await v2.get(path), 404, 'not_found');
      expectError(await v2.get(`${path}/deliveries`), 404, 'not_found');
      expectError(await v2.send('PATCH', path, '{"active":true}'), 404, 'not_found');
      expectError(await v2.send('DELETE', path), 404, 'not_found');
      for (const verb of ['roll-secret', 'test'])
        expectError(await v2.send('POST', `${path}/${verb}`), 404, 'not_found');
    }
  });
  check('limit', 'a store has at most ten webhooks: one more is 409 `webhook_limit_reached`', async () => {
    const total = pageOf(await v2.get('/webhooks')).data.length;
    const created = [];
    for (let count = total; count < 10; count += 1) created.push(await open('/many'));
    const { urlOf } = await receiver();
    expectError(await create(`{"url":"${urlOf('/many')}"}`), 409, 'webhook_limit_reached');
    for (const webhook of created) await remove(webhook);
  });
}
