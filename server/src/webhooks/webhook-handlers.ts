import { randomBytes } from 'node:crypto';
import { idOf, type V2Options } from '../api/v2-handling.ts';
import { DEFAULT_LIMIT, paging } from '../api/v2-list-parameters.ts';
import { readBody } from '../http/content/body.ts';
import { writeDateTime } from '../http/content/date-time.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { readQuery } from '../http/content/parameters.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import { type AnswerPage, slicesOf } from '../http/pages/page-answer.ts';
import { type Handler, jsonAnswer } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { randomBase62 } from '../keys/key-format.ts';
import { attemptsOf, type Delivery, deliveryPage } from './delivery.ts';
import { makeTestDelivery } from './make-deliveries.ts';
import { changeWebhook, createWebhook, deleteWebhook, rollWebhookSecret } from './manage-webhooks.ts';
import { problemWithUrl } from './private-addresses.ts';
import { redeliver } from './send-deliveries.ts';
import { findWebhook, listWebhooks, typesOf, type Webhook } from './webhook.ts';
import { webhookChangeFields, webhookFields } from './webhook-bodies.ts';

const SECRET_BYTES = 32;
const MAX_ID = 2n ** 63n - 1n;

/** The webhook operations of version 2. */
export function webhookHandlers(options: V2Options, answerPage: AnswerPage) {
  const { db, writer, now, clock, cursors } = options;
  const { allowPrivate, jobs } = options.webhooks;
  // What is sent, and until when a secret signs, goes by the clock, whatever moment a request prefers.
  const present = () => BigInt(clock());
  const refuseUrl = (url: string | undefined) => {
    const problem = url === undefined ? undefined : problemWithUrl(url, allowPrivate);
    if (problem !== undefined)
      throw new ApiError('invalid_webhook_url', `Nothing can be sent there: ${problem}.`);
  };
  const named = (request: Request) => {
    const { webhookId } = request.params as { webhookId: string };
    if (!/^wh_\w{1,40}$/.test(webhookId)) throw new ApiError('not_found');
    return { storeId: callerOf(request).storeId, webhookId };
  };
  const found = async (request: Request): Promise<Webhook> => {
    const [webhook] = await db.all(findWebhook, named(request));
    if (!webhook) throw new ApiError('not_found');
    return webhook;
  };

  const create: Handler = async (request) => {
    const { url, types = [] } = readBody(webhookFields, request.body);
    refuseUrl(url);
    const [secret, webhookId] = [newSecret(), `wh_${randomBase62(16)}`];
    const { storeId } = callerOf(request);
    const at = BigInt(now(request));
    const webhook = await writer.apply(createWebhook, {
      storeId,
      webhookId,
      url,
      types: types.join(),
      secret,
      at,
    });
    jobs.wake();
    return jsonAnswer({ ...shown(webhook), secret }, 201, ['location', `/v2/webhooks/${webhookId}`]);
  };

  const getWebhooks: Handler = async (request) => {
    const rows = await db.all(listWebhooks, { storeId: callerOf(request).storeId });
    return jsonAnswer({ data: rows.map(shown), nextCursor: null });
  };

  const getWebhook: Handler = async (request) => jsonAnswer(shown(await found(request)));

  const change: Handler = async (request) => {
    const { url, types, active } = readBody(webhookChangeFields, request.body, false);
    refuseUrl(url);
    const change = { ...named(request), url, types: types?.join(), active };
    const webhook = await writer.apply(changeWebhook, change);
    jobs.wake();
    return jsonAnswer(shown(webhook));
  };

  const remove: Handler = async (request) => {
    const webhook = named(request);
    await writer.apply(deleteWebhook, webhook);
    jobs.forget(webhook.webhookId);
    return { status: 204 };
  };

  const rollSecret: Handler = async (request) => {
    const secret = newSecret();
    const rolled = { ...named(request), secret, at: present() };
    return jsonAnswer({ ...shown(await writer.apply(rollWebhookSecret, rolled)), secret });
  };

  const testWebhook: Handler = async (request) => {
    const at = writeDateTime(BigInt(now(request)));
    const body = `{"id":"0","type":"webhook.test","at":"${at}","data":{}}`;
    const delivery = await writer.apply(makeTestDelivery, { ...named(request), body, at: present() });
    jobs.wake();
    return jsonTextAnswer(request, writeDelivery(delivery), 202);
  };

  const listDeliveries: Handler = async (request) => {
    const { limit = BigInt(DEFAULT_LIMIT), cursor } = readQuery(paging, request.query);
    const { id: webhookId } = await found(request);
    const purpose = `deliveries ${webhookId}`;
    const before = cursor === undefined ? MAX_ID : cursors.read(purpose, cursor)[1];
    return answerPage(request, {
      // Each has up to 1 KB of the answer to every attempt.
      ...slicesOf(limit, 16n, (last: Delivery | undefined, most) =>
        db.all(deliveryPage, { webhookId, before: last?.id ?? before, limit: most }),
      ),
      write: writeDelivery,
      cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
    });
  };

  const tryAgain: Handler = async (request) => {
    const wanted = { ...named(request), deliveryId: idOf(request, 'deliveryId'), at: present() };
    const delivery = await writer.apply(redeliver, wanted);
    jobs.wake();
    return jsonTextAnswer(request, writeDelivery(delivery), 202);
  };

  return {
    listWebhooks: getWebhooks,
    createWebhook: create,
    getWebhook,
    changeWebhook: change,
    deleteWebhook: remove,
    rollWebhookSecret: rollSecret,
    testWebhook,
    listDeliveries,
    redeliver: tryAgain,
  };
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function shown(webhook: Webhook) {
  const { id, url, active, created_at: createdAt } = webhook;
  return { id, url, types: typesOf(webhook), active: active === 1n, createdAt: writeDateTime(createdAt) };
}

/** The event is JSON already. */
function writeDelivery(delivery: Delivery): string {
  const { id, body, status, next_at, created_at } = delivery;
  return (
    `{"id":${id},"event":${body},"status":"${status}","attempts":${JSON.stringify(attemptsOf(delivery))},` +
    `"nextAttemptAt":${next_at === null ? 'null' : `"${writeDateTime(next_at)}"`},` +
    `"createdAt":"${writeDateTime(created_at)}"}`
  );
}
