import { findRows } from '../database/rows.ts';
import { found } from '../http/errors.ts';
import { answer } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { showWebhook, webhook } from './shown-webhook.ts';
import { webhookColumns } from './webhook.ts';
import { type WebhookServices, webhookId } from './webhook-operations.ts';

export const getWebhook = operation({
  operationId: 'getWebhook',
  at: 'GET /webhooks/{webhookId}',
  summary: 'Read one webhook',
  description: 'Without its secret.',
  path: { webhookId },
  answers: { 200: answer('The webhook.', 'Webhook', webhook) },
  async handle({ storeId, webhookId }, { db }: WebhookServices) {
    const own = { store_id: storeId, id: webhookId };
    return jsonAnswer(showWebhook(found(await findRows(db, 'webhooks', own, webhookColumns))));
  },
});
