import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { pathId } from '../http/fields/parameters.ts';
import { operation } from '../http/openapi/operation.ts';
import { redeliver } from './claim-deliveries.ts';
import { acceptedDelivery, delivery, writeDelivery } from './shown-delivery.ts';
import { type WebhookServices, webhookId } from './webhook-operations.ts';

export const redeliverOperation = operation({
  operationId: 'redeliver',
  at: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  summary: 'Send something once more',
  description:
    'At once, and if that fails as often as a new delivery. It is the same message, with the same id.',
  path: { webhookId, deliveryId: pathId('delivery', delivery.id) },
  answers: { 202: acceptedDelivery },
  async handle({ request, storeId, webhookId, deliveryId }, { writer, clock, webhooks }: WebhookServices) {
    const made = await writer.apply(redeliver, { storeId, webhookId, deliveryId, at: BigInt(clock()) });
    webhooks.deliveries.wake();
    return jsonTextAnswer(request, writeDelivery(made), 202);
  },
});
