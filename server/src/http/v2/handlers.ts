import { eventHandlers } from './events.ts';
import type { V2Options } from './handling.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';
import { requestHandlers } from './requests.ts';
import { summaryHandlers } from './summary.ts';
import { webhookHandlers } from './webhooks.ts';

/** Version 2 (beta): filters, pages, and the whole life of an order. */
export function v2Handlers(options: V2Options) {
  return {
    ...orderHandlers(options),
    ...summaryHandlers(options),
    ...petHandlers(options),
    ...eventHandlers(options),
    ...webhookHandlers(options),
    ...requestHandlers(options),
  };
}
