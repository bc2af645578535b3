import { everyAnswer } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import type { Writer } from '../writer/writer.ts';
import { namedWebhook, type WebhookServices, webhookIdParameter } from './asked-webhook.ts';
import { deleteWebhook } from './manage-webhooks.ts';

export const deleteWebhookOperation = operation({
  operationId: 'deleteWebhook',
  at: 'DELETE /webhooks/{webhookId}',
  stability: 'experimental',
  tag: 'webhooks',
  summary: 'Delete a webhook',
  description: 'Nothing more is sent to it; what there was to send is forgotten.',
  parameters: [webhookIdParameter],
  answers: { 204: { description: 'It is gone.', headers: everyAnswer } },
  handle:
    ({ writer, webhooks }: { readonly writer: Writer; readonly webhooks: WebhookServices }) =>
    async (request) => {
      const named = namedWebhook(request);
      await writer.apply(deleteWebhook, named);
      webhooks.jobs.forget(named.webhookId);
      return { status: 204 };
    },
});
