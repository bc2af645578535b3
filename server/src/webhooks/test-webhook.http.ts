import { writeDateTime } from '../http/content/date-time.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { operation } from '../http/openapi/operation.ts';
import { makeTestDelivery } from './make-deliveries.ts';
import { acceptedDelivery, writeDelivery } from './shown-delivery.ts';
import { type WebhookServices, webhookId } from './webhook-operations.ts';

export const testWebhook = operation({
  operationId: 'testWebhook',
  at: 'POST /webhooks/{webhookId}/test',
  summary: 'Send a webhook something to see whether it arrives',
  description: 'An event of the type `webhook.test`, whatever types the webhook is for.',
  path: { webhookId },
  answers: { 202: acceptedDelivery },
  async handle({ request, storeId, webhookId }, { writer, momentOf, clock, webhooks }: WebhookServices) {
    const at = writeDateTime(BigInt(momentOf(request)));
    const body = `{"id":"0","type":"webhook.test","at":"${at}","data":{}}`;
    const wanted = { storeId, webhookId, body, at: BigInt(clock()) };
    const made = await writer.apply(makeTestDelivery, wanted);
    webhooks.deliveries.wake();
    return jsonTextAnswer(request, writeDelivery(made), 202);
  },
});
