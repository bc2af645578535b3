import { everyAnswer } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import { deleteWebhook } from './manage-webhooks.ts';
import { type WebhookServices, webhookId } from './webhook-operations.ts';

export const deleteWebhookOperation = operation({
  operationId: 'deleteWebhook',
  at: 'DELETE /webhooks/{webhookId}',
  summary: 'Delete a webhook',
  description: 'Nothing more is sent to it; what there was to send is forgotten.',
  path: { webhookId },
  answers: { 204: { description: 'It is gone.', headers: everyAnswer } },
  async handle({ storeId, webhookId }, { writer }: WebhookServices) {
    await writer.apply(deleteWebhook, { storeId, webhookId });
    return { status: 204 };
  },
});
