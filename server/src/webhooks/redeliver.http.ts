import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { idOf, pathId } from '../http/fields/path-id.ts';
import { operation } from '../http/openapi/operation.ts';
import type { Writer } from '../writer/writer.ts';
import { namedWebhook, type WebhookServices, webhookIdParameter } from './asked-webhook.ts';
import { redeliver } from './send-deliveries.ts';
import { acceptedDelivery, delivery, writeDelivery } from './shown-delivery.ts';

interface Services {
  readonly writer: Writer;
  /** The time on the clock, whatever moment a request prefers: by it things are sent. */
  readonly clock: () => number;
  readonly webhooks: WebhookServices;
}

export const redeliverOperation = operation({
  operationId: 'redeliver',
  at: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  stability: 'experimental',
  tag: 'webhooks',
  summary: 'Send something once more',
  description:
    'At once, and if that fails as often as a new delivery. It is the same message, with the same id.',
  parameters: [webhookIdParameter, pathId('deliveryId', 'delivery', delivery.id)],
  answers: { 202: acceptedDelivery },
  handle:
    ({ writer, clock, webhooks }: Services) =>
    async (request) => {
      const deliveryId = idOf(request, 'deliveryId');
      const wanted = { ...namedWebhook(request), deliveryId, at: BigInt(clock()) };
      const made = await writer.apply(redeliver, wanted);
      webhooks.jobs.wake();
      return jsonTextAnswer(request, writeDelivery(made), 202);
    },
});
