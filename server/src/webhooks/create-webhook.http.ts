import { answer, errorAnswer } from '../http/openapi/document-parts.ts';
import { headerRef } from '../http/openapi/openapi.ts';
import { bodyWith, operation } from '../http/openapi/operation.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { randomBase62 } from '../key-format.ts';
import { createWebhook } from './manage-webhooks.ts';
import { newWebhook, showWebhook, webhookFields, webhookInput } from './shown-webhook.ts';
import { invalidUrlAnswer, newSecret, refuseUrl, type WebhookServices } from './webhook-operations.ts';

export const createWebhookOperation = operation({
  operationId: 'createWebhook',
  at: 'POST /webhooks',
  summary: 'Add a webhook',
  description:
    'It is sent what happens from now on. The secret that signs is shown in this answer, and never again. A store has at most 10.',
  body: bodyWith('WebhookInput', webhookFields, webhookInput),
  answers: {
    201: answer('The webhook is added.', 'WebhookWithSecret', newWebhook, {
      Location: headerRef('WebhookLocation'),
    }),
    409: errorAnswer('The store has 10 webhooks already.', ['webhook_limit_reached']),
    ...invalidUrlAnswer,
  },
  async handle(
    { request, storeId, body: { url, types = [] } },
    { writer, momentOf, webhooks }: WebhookServices,
  ) {
    refuseUrl(url, webhooks.allowPrivate);
    const [secret, webhookId] = [newSecret(), `wh_${randomBase62(16)}`];
    const at = BigInt(momentOf(request));
    const wanted = { storeId, webhookId, url, types: types.join(), secret, at };
    const created = await writer.apply(createWebhook, wanted);
    webhooks.deliveries.wake();
    return jsonAnswer({ ...showWebhook(created), secret }, 201, ['location', `/v2/webhooks/${webhookId}`]);
  },
});
