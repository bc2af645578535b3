import type { Database } from '../database/engine.ts';
import { answer } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { askedWebhook, webhookIdParameter } from './asked-webhook.ts';
import { showWebhook, webhook } from './shown-webhook.ts';

export const getWebhook = operation({
  operationId: 'getWebhook',
  at: 'GET /webhooks/{webhookId}',
  stability: 'experimental',
  tag: 'webhooks',
  summary: 'Read one webhook',
  description: 'Without its secret.',
  parameters: [webhookIdParameter],
  answers: { 200: answer('The webhook.', 'Webhook', webhook) },
  handle:
    ({ db }: { readonly db: Database }) =>
    async (request) =>
      jsonAnswer(showWebhook(await askedWebhook(db, request))),
});
