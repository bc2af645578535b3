import { answer } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { showWebhook, webhook } from './shown-webhook.ts';
import { listWebhooks } from './webhook.ts';
import type { WebhookServices } from './webhook-operations.ts';

export const listWebhooksOperation = operation({
  operationId: 'listWebhooks',
  at: 'GET /webhooks',
  summary: 'List webhooks',
  description: 'All of them, oldest first. Their secrets are not shown.',
  answers: { 200: answer('The webhooks.', 'WebhookPage', { data: [webhook], nextCursor: null }) },
  async handle({ storeId }, { db }: WebhookServices) {
    const rows = await db.all(listWebhooks, { storeId });
    return jsonAnswer({ data: rows.map(showWebhook), nextCursor: null });
  },
});
