import { eventHandlers } from './events.ts';
import { pageTurns, type V2Options } from './handling.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';
import { requestHandlers } from './requests.ts';
import { summaryHandlers } from './summary.ts';
import { webhookHandlers } from './webhooks.ts';

/** Version 2 (beta): filters, pages, and the whole life of an order. */
export function v2Handlers(options: V2Options) {
  const turnFor = pageTurns();
  return {
    ...orderHandlers(options, turnFor),
    ...summaryHandlers(options),
    ...petHandlers(options, turnFor),
    ...eventHandlers(options),
    ...webhookHandlers(options),
    ...requestHandlers(options),
  };
}
