import { eventHandlers } from '../events/event-handlers.ts';
import { pageAnswers } from '../http/pages/page-answer.ts';
import { orderHandlers } from '../orders/order-handlers.ts';
import { petHandlers } from '../pets/pet-handlers.ts';
import { requestHandlers } from '../requests/request-handlers.ts';
import { summaryHandlers } from '../summary/summary.ts';
import { webhookHandlers } from '../webhooks/webhook-handlers.ts';
import type { V2Options } from './v2-handling.ts';

/** Version 2 (beta): filters, pages, and the whole life of an order. */
export function v2Handlers(options: V2Options) {
  const answerPage = pageAnswers();
  return {
    ...orderHandlers(options, answerPage),
    ...summaryHandlers(options),
    ...petHandlers(options, answerPage),
    ...eventHandlers(options, answerPage),
    ...webhookHandlers(options, answerPage),
    ...requestHandlers(options, answerPage),
  };
}
