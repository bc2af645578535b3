import { eventHandlers } from './events.ts';
import type { V2Options } from './handling.ts';
import { orderHandlers } from './orders.ts';
import { pageAnswers } from './page-answer.ts';
import { petHandlers } from './pets.ts';
import { requestHandlers } from './requests.ts';
import { summaryHandlers } from './summary.ts';
import { webhookHandlers } from './webhooks.ts';

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
