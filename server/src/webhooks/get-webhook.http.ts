import { found } from '../http/errors.ts';
import { answer } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { showWebhook, webhook } from './shown-webhook.ts';
import { findWebhook } from './webhook.ts';
import { type WebhookServices, webhookId } from './webhook-operations.ts';

export const getWebhook = operation({
  operationId: 'getWebhook',
  at: 'GET /webhooks/{webhookId}',
  summary: 'Read one webhook',
  description: 'Without its secret.',
  path: { webhookId },
  answers: { 200: answer('The webhook.', 'Webhook', webhook) },
  async handle({ storeId, webhookId }, { db }: WebhookServices) {
    const webhook = found(await db.all(findWebhook, { storeId, webhookId }));
    return jsonAnswer(showWebhook(webhook));
  },
});
