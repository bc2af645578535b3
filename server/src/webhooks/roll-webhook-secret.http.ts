import { answer } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { rollWebhookSecret } from './manage-webhooks.ts';
import { newWebhook, showWebhook } from './shown-webhook.ts';
import { newSecret, type WebhookServices, webhookId } from './webhook-operations.ts';

export const rollWebhookSecretOperation = operation({
  operationId: 'rollWebhookSecret',
  at: 'POST /webhooks/{webhookId}/roll-secret',
  summary: 'Give a webhook a new secret',
  description: 'For 24 hours both secrets sign, so that receivers can change over without missing any.',
  path: { webhookId },
  answers: {
    200: answer('The webhook and its new secret, shown once.', 'WebhookWithSecret', newWebhook),
  },
  async handle({ storeId, webhookId }, { writer, clock }: WebhookServices) {
    const secret = newSecret();
    const rolled = { storeId, webhookId, secret, at: BigInt(clock()) };
    return jsonAnswer({ ...showWebhook(await writer.apply(rollWebhookSecret, rolled)), secret });
  },
});
