import { findRows } from '../database/rows.ts';
import { found } from '../http/errors.ts';
import { page } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { slicesOf } from '../http/pages/page-answer.ts';
import { DEFAULT_LIMIT, invalidQuery, paging } from '../http/pages/paging.ts';
import { type Delivery, deliveryPage } from './delivery.ts';
import { delivery, writeDelivery } from './shown-delivery.ts';
import { type WebhookServices, webhookId } from './webhook-operations.ts';

const MAX_ID = 2n ** 63n - 1n;
const DELIVERIES_OF_A_TURN = 16n;

export const listDeliveries = operation({
  operationId: 'listDeliveries',
  at: 'GET /webhooks/{webhookId}/deliveries',
  summary: 'List what was sent to a webhook, by page',
  description: 'Newest first; kept for 7 days.',
  path: { webhookId },
  query: paging,
  answers: {
    200: page('DeliveryPage', { data: [delivery], nextCursor: null }, 'DeliveriesLink'),
    400: invalidQuery,
  },
  async handle({ request, storeId, webhookId, query }, { db, cursors, answerPage }: WebhookServices) {
    const { limit = BigInt(DEFAULT_LIMIT), cursor } = query;
    found(await findRows(db, 'webhooks', { store_id: storeId, id: webhookId }));
    const purpose = `deliveries ${webhookId}`;
    const before = cursor === undefined ? MAX_ID : cursors.read(purpose, cursor)[1];
    return answerPage(request, {
      ...slicesOf(limit, DELIVERIES_OF_A_TURN, (last: Delivery | undefined, most) =>
        db.all(deliveryPage, { webhookId, before: last?.id ?? before, limit: most }),
      ),
      write: writeDelivery,
      cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
    });
  },
});
