import { setTimeout as pause } from 'node:timers/promises';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectStatus } from '../../expect.ts';
import { type Fields, objectOf } from '../../v2.ts';
import { expectSigned, type Message } from '../../webhooks.ts';
import { type Delivery, hasAttempt, ownWebhooks, repeatedHeaders } from './own-webhooks.ts';
import { sectionOf } from './section.ts';

/** Longer than the wait before the first retry. */
const MAX_WAIT_MS = 10_000;

/** Retries of a message, and what an inactive webhook receives later. */
export function webhookAttemptChecks(suite: Suite, context: Context): void {
  const { v2 } = context;
  const { check } = sectionOf(suite, v2, 'webhooks', 'webhooks', 'post /webhooks');
  const { receiver, open, deliveries, remove } = ownWebhooks(context);
  const pet = once(() => v2.newPet(100));
  const place = async () => (await v2.place(await pet())).id;
  const setActive = async (webhook: { path: string }, active: boolean) =>
    equal(
      objectOf(await v2.send('PATCH', webhook.path, `{"active":${active}}`)).active,
      active,
      '`active`',
      `PATCH ${webhook.path}`,
    );
  const test = async (webhook: { path: string }) =>
    expectStatus(await v2.send('POST', `${webhook.path}/test`), 202);
  const isForOrder = (orderId: bigint) => (found: { event: Fields }) =>
    (found.event.data as Fields).id === orderId;
  const isDone = (count: number) => (found: readonly Delivery[]) =>
    found.length >= count && found.every(({ nextAttemptAt }) => nextAttemptAt === null);

  check(
    'retry',
    'a retry sends the same message with the same `webhook-id`, signed again with its own time; a deleted webhook gets none',
    async () => {
      const [deleted, webhook] = [await open('/deleted-retry'), await open('/retry')];
      const { setResponse, wait, received } = await receiver();
      for (const path of ['/retry', '/deleted-retry']) setResponse(path, 500);
      const orderId = await place();
      await deliveries(webhook, hasAttempt);
      const [discarded] = await deliveries(deleted, hasAttempt);
      expectStatus(await remove(deleted), 204);
      setResponse('/retry', 204);
      const messages = await wait('/retry', 2);
      for (const message of messages) expectSigned(message, webhook.secret);
      const [first, second] = messages as [Message, Message];
      const [firstTime = 0, secondTime = 0] = messages.map(({ headers }) =>
        Number(headers['webhook-timestamp']),
      );
      ensure(secondTime > firstTime, `a webhook-timestamp after ${firstTime}`, secondTime);
      equal(
        [second.body, second.headers['webhook-id'], repeatedHeaders(second)],
        [first.body, first.headers['webhook-id'], repeatedHeaders(first)],
        'the retry',
      );
      const delivery = (await deliveries(webhook, isDone(1))).find(isForOrder(orderId));
      equal(
        [delivery?.status, delivery?.nextAttemptAt, delivery?.attempts.map(({ status }) => status)],
        ['delivered', null, [500n, 204n]],
        'the delivery',
        `GET ${webhook.path}/deliveries`,
      );
      const due = Date.parse(String(discarded?.nextAttemptAt)) - Date.now();
      await pause(Math.min(Math.max(due, 0), MAX_WAIT_MS) + 500);
      equal(received('/deleted-retry').length, 1, 'the number of messages to a deleted webhook:');
      await remove(webhook);
    },
  );
  check(
    'reactivated',
    '“the webhook gets new events, and retries that were pending”, but no event from the time when it was inactive',
    async () => {
      const webhook = await open('/reactivated');
      const { setResponse, wait } = await receiver();
      setResponse('/reactivated', 500);
      const pending = await place();
      await deliveries(webhook, hasAttempt);
      await setActive(webhook, false);
      await place();
      setResponse('/reactivated', 204);
      await setActive(webhook, true);
      const later = await place();
      const sent = await wait('/reactivated', 3);
      const ordersOf = (list: readonly { event: Fields }[]) =>
        list.map(({ event }) => (event.data as Fields).id as bigint).sort((a, b) => (a < b ? -1 : 1));
      equal(ordersOf(sent), [pending, pending, later], 'the orders of the messages');
      const listed = await deliveries(webhook, isDone(2));
      equal(ordersOf(listed), [pending, later], 'the deliveries', `GET ${webhook.path}/deliveries`);
      await remove(webhook);
    },
  );
  check('waiting', 'a test and a redelivery wait while the webhook is inactive', async () => {
    const [webhook, other] = [await open('/waiting'), await open('/not-waiting')];
    const { received, wait } = await receiver();
    await place();
    const [delivery] = await deliveries(webhook, hasAttempt);
    await setActive(webhook, false);
    await test(webhook);
    expectStatus(await v2.send('POST', `${webhook.path}/deliveries/${delivery?.id}/redeliver`), 202);
    await test(other);
    await wait('/not-waiting', 2);
    equal(received('/waiting').length, 1, 'the number of messages to an inactive webhook:');
    await setActive(webhook, true);
    const types = (await wait('/waiting', 3)).map(({ event }) => event.type);
    equal(types.sort(), ['order.placed', 'order.placed', 'webhook.test'], 'the messages');
    await remove(webhook);
    await remove(other);
  });
}
