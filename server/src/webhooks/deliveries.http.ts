import { findRows } from '../database/rows.ts';
import { jsonTextResponse } from '../http/content/negotiation.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { firstOrNotFound } from '../http/errors.ts';
import { pathId } from '../http/fields/parameters.ts';
import { errorResponse, page } from '../http/openapi/responses.ts';
import { operation } from '../http/operations/operation.ts';
import { readInSlices } from '../http/pages/page-response.ts';
import { DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import { type Delivery, deliveryPage } from './delivery.ts';
import { acceptedDelivery, deliveryExample, writeDelivery } from './delivery-view.ts';
import { createTestDelivery, redeliver } from './request-delivery.ts';
import { type WebhookServices, webhookId } from './webhook-view.ts';

const MAX_ID = 2n ** 63n - 1n;
const DELIVERIES_PER_TICK = 16n;

const enqueueResponses = {
  202: acceptedDelivery,
  409: errorResponse('The webhook has reached the limit of 1,000 unfinished deliveries.', [
    'delivery_limit_reached',
  ]),
};

export const deliveryOperations = [
  operation({
    operationId: 'testWebhook',
    at: 'POST /webhooks/{webhookId}/test',
    summary: 'Send a test message',
    description: 'Sends a message of type `webhook.test`, regardless of the types the webhook subscribes to.',
    path: { webhookId },
    responses: enqueueResponses,
    async handle(
      { request, storeId, webhookId },
      { writer, effectiveTime, clock, webhooks }: WebhookServices,
    ) {
      const at = writeDateTime(BigInt(effectiveTime(request)));
      const body = `{"id":"0","type":"webhook.test","at":"${at}","data":{}}`;
      const test = { storeId, webhookId, body, at: BigInt(clock()) };
      const delivery = await writer.apply(createTestDelivery, test);
      webhooks.deliveries.wake();
      return jsonTextResponse(request, writeDelivery(delivery), 202);
    },
  }),
  operation({
    operationId: 'listDeliveries',
    at: 'GET /webhooks/{webhookId}/deliveries',
    summary: 'List deliveries',
    description:
      'Returns deliveries, newest first: all unfinished ones, and up to 1,000 finished ones from the last 7 days.',
    path: { webhookId },
    query: paging,
    responses: {
      200: page('DeliveryPage', { data: [deliveryExample], nextCursor: null }, 'DeliveriesLink'),
      400: invalidQuery,
    },
    async handle({ request, storeId, webhookId, query }, { db, cursors, respondWithPage }: WebhookServices) {
      const { limit = BigInt(DEFAULT_LIMIT), cursor } = query;
      firstOrNotFound(await findRows(db, 'webhooks', { store_id: storeId, id: webhookId }));
      const purpose = `deliveries ${webhookId}`;
      const before = cursor === undefined ? MAX_ID : cursors.read(purpose, cursor)[1];
      return respondWithPage(request, {
        ...readInSlices(limit, DELIVERIES_PER_TICK, (last: Delivery | undefined, size) =>
          db.all(deliveryPage, { webhookId, before: last?.id ?? before, limit: size }),
        ),
        write: writeDelivery,
        cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
      });
    },
  }),
  operation({
    operationId: 'redeliver',
    at: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    summary: 'Redeliver a message',
    description:
      'Sends the same message again, with the same id. The first attempt is immediate; failures are retried like those of a new delivery.',
    path: { webhookId, deliveryId: pathId('delivery', deliveryExample.id) },
    responses: enqueueResponses,
    async handle({ request, storeId, webhookId, deliveryId }, { writer, clock, webhooks }: WebhookServices) {
      const args = { storeId, webhookId, deliveryId, at: BigInt(clock()) };
      const delivery = await writer.apply(redeliver, args);
      webhooks.deliveries.wake();
      return jsonTextResponse(request, writeDelivery(delivery), 202);
    },
  }),
];
