import type { Database } from '../database/engine.ts';
import { notModified } from '../http/content/conditional.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { pathId } from '../http/fields/path-id.ts';
import { notModifiedAnswer } from '../http/openapi/answers.ts';
import { answer, ifNoneMatch } from '../http/openapi/document-parts.ts';
import { caching } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import { askedOrder } from './asked-order.ts';
import { shownOrder, writeOrder } from './shown-order.ts';

export const getOrder = operation({
  operationId: 'getOrder',
  at: 'GET /store/orders/{orderId}',
  stability: 'beta',
  tag: 'orders',
  summary: 'Read one order',
  description: 'Also when it is cancelled.',
  parameters: [pathId('orderId', 'order', shownOrder.id), ifNoneMatch],
  answers: { 200: answer('The order.', 'Order', shownOrder, caching), 304: notModifiedAnswer() },
  handle:
    ({ db }: { readonly db: Database }) =>
    async (request) => {
      const order = await askedOrder(db, request);
      return notModified(request) ?? jsonTextAnswer(request, writeOrder(order));
    },
});
