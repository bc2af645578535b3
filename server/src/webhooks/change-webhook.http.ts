import { answer } from '../http/openapi/document-parts.ts';
import { bodyWith, operation } from '../http/openapi/operation.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { changeWebhook } from './manage-webhooks.ts';
import { showWebhook, webhook, webhookChangeFields } from './shown-webhook.ts';
import { invalidUrlAnswer, refuseUrl, type WebhookServices, webhookId } from './webhook-operations.ts';

export const changeWebhookOperation = operation({
  operationId: 'changeWebhook',
  at: 'PATCH /webhooks/{webhookId}',
  summary: 'Change a webhook, or turn it off or on',
  description: 'What is given is changed, the rest stays.',
  path: { webhookId },
  body: bodyWith(
    'WebhookPatch',
    webhookChangeFields,
    { active: false },
    {
      mayBeEmpty: false,
      alsoAs: ['application/merge-patch+json'],
    },
  ),
  answers: {
    200: answer('The webhook, changed.', 'Webhook', { ...webhook, active: false }),
    ...invalidUrlAnswer,
  },
  async handle({ storeId, webhookId, body: { url, types, active } }, { writer, webhooks }: WebhookServices) {
    refuseUrl(url, webhooks.allowPrivate);
    const changed = await writer.apply(changeWebhook, {
      storeId,
      webhookId,
      url,
      types: types?.join(),
      active: active === undefined ? undefined : BigInt(active),
    });
    webhooks.deliveries.wake();
    return jsonAnswer(showWebhook(changed));
  },
});
