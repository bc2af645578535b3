import { locationHeader } from '../http/openapi/operation.ts';
import { nextLinkHeader } from '../http/pages/paging.ts';
import { changeWebhookOperation } from './change-webhook.http.ts';
import { createWebhookOperation } from './create-webhook.http.ts';
import { deleteWebhookOperation } from './delete-webhook.http.ts';
import { getWebhook } from './get-webhook.http.ts';
import { listDeliveries } from './list-deliveries.http.ts';
import { listWebhooksOperation } from './list-webhooks.http.ts';
import { redeliverOperation } from './redeliver.http.ts';
import { rollWebhookSecretOperation } from './roll-webhook-secret.http.ts';
import { deliverySchemas } from './shown-delivery.ts';
import { webhook, webhookSchemas } from './shown-webhook.ts';
import { testWebhook } from './test-webhook.http.ts';

export const webhooksFeature = {
  tag: 'webhooks',
  stability: 'experimental',
  operations: [
    listWebhooksOperation,
    createWebhookOperation,
    getWebhook,
    changeWebhookOperation,
    deleteWebhookOperation,
    rollWebhookSecretOperation,
    testWebhook,
    listDeliveries,
    redeliverOperation,
  ],
  schemas: { ...webhookSchemas, ...deliverySchemas },
  headers: {
    DeliveriesLink: nextLinkHeader(`/v2/webhooks/${webhook.id}/deliveries`),
    WebhookLocation: locationHeader(`/v2/webhooks/${webhook.id}`),
  },
};
