import { locationHeader } from '../http/openapi/operation.ts';
import { nextLinkHeader } from '../http/pages/paging.ts';
import { deliveryOperations } from './deliveries.http.ts';
import { deliverySchemas } from './shown-delivery.ts';
import { webhook, webhookSchemas } from './shown-webhook.ts';
import { webhookOperations } from './webhooks.http.ts';

export const webhooksFeature = {
  tag: 'webhooks',
  stability: 'experimental',
  operations: [...webhookOperations, ...deliveryOperations],
  schemas: { ...webhookSchemas, ...deliverySchemas },
  headers: {
    DeliveriesLink: nextLinkHeader(`/v2/webhooks/${webhook.id}/deliveries`),
    WebhookLocation: locationHeader(`/v2/webhooks/${webhook.id}`),
  },
};
