import { deliveryStatuses } from '../domain/vocabulary.ts';
import { shippedEvent } from '../events/event-schemas.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import {
  countSchema,
  described,
  int64Schema,
  listOf,
  schemaRef,
  utcDateTime,
} from '../http/openapi/openapi.ts';
import { response } from '../http/openapi/responses.ts';
import { enumeration, responseSchema } from '../http/openapi/schemas.ts';
import { pageSchema } from '../http/pages/paging.ts';
import { attemptsOf, type Delivery } from './delivery.ts';
import { webhookExample } from './webhook-view.ts';

export const deliveryExample = {
  id: 3,
  event: shippedEvent,
  status: 'delivered',
  attempts: [
    {
      at: '2026-12-07T08:15:00.120Z',
      url: webhookExample.url,
      status: 204,
      durationMs: 41,
      answer: '',
      error: null,
    },
  ],
  nextAttemptAt: null,
  createdAt: '2026-12-07T08:15:00.050Z',
};

export function writeDelivery(delivery: Delivery): string {
  const { id, body, status, next_at, created_at } = delivery;
  return (
    `{"id":${id},"event":${body},"status":"${status}","attempts":${JSON.stringify(attemptsOf(delivery))},` +
    `"nextAttemptAt":${next_at === null ? 'null' : `"${writeDateTime(next_at)}"`},` +
    `"createdAt":"${writeDateTime(created_at)}"}`
  );
}

export const acceptedDelivery = response(
  'The delivery is queued. While the webhook is inactive, it waits.',
  'Delivery',
  {
    ...deliveryExample,
    status: 'pending',
    attempts: [],
    nextAttemptAt: deliveryExample.createdAt,
  },
);

export const deliverySchemas = {
  Delivery: responseSchema('The delivery of a message to a webhook.', {
    id: described(int64Schema, 'Sequence number, starting at 1 for each webhook.', deliveryExample.id),
    event: schemaRef('Message'),
    status: schemaRef('DeliveryStatus'),
    attempts: listOf('DeliveryAttempt', 8, 'Up to the last eight attempts, oldest first.'),
    nextAttemptAt: described(
      { ...utcDateTime, type: ['string', 'null'] },
      'The next attempt starts by this time; null if none is scheduled.',
      null,
    ),
    createdAt: described(utcDateTime, 'When the delivery was created. UTC.', deliveryExample.createdAt),
  }),
  DeliveryStatus: enumeration(
    '`failed` when all attempts have failed.',
    deliveryStatuses,
    deliveryStatuses.map((status) => `DELIVERY_${status.toUpperCase()}`),
  ),
  DeliveryAttempt: responseSchema('An attempt to deliver a message.', {
    at: described(utcDateTime, 'When the attempt started. UTC.', deliveryExample.createdAt),
    url: described(
      { type: 'string', maxLength: 300 },
      'The first 300 characters of the URL at the time of the attempt.',
      webhookExample.url,
    ),
    status: described(
      { type: ['integer', 'null'], format: 'int32', minimum: 100, maximum: 999 },
      'The HTTP status of the response; null if there was none.',
      204,
    ),
    durationMs: countSchema('Duration in milliseconds.', 41),
    answer: described(
      { type: ['string', 'null'], maxLength: 1024 },
      'The first 1 KB of the response body. Stored for the newest attempts only, up to 2 KB in total per delivery; null for older ones.',
      'ok',
    ),
    error: described({ type: ['string', 'null'], maxLength: 200 }, 'Why there was no response.', null),
  }),
  DeliveryPage: pageSchema('A page of deliveries.', 'Delivery'),
};
