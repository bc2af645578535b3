import { shippedEvent } from '../events/event-schemas.ts';
import { writeDateTime } from '../http/content/date-time.ts';
import { answer, answered, enumeration } from '../http/openapi/answers.ts';
import { counted, described, int64Schema, listOf, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/paging.ts';
import { deliveryStatuses } from '../vocabulary.ts';
import { attemptsOf, type Delivery } from './delivery.ts';
import { webhookExample } from './shown-webhook.ts';

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

export const acceptedDelivery = answer('It is on its way; while the webhook is off, it waits.', 'Delivery', {
  ...deliveryExample,
  status: 'pending',
  attempts: [],
  nextAttemptAt: deliveryExample.createdAt,
});

export const deliverySchemas = {
  Delivery: answered('An event on its way to a webhook.', {
    id: described(int64Schema, 'Counted for each webhook from 1.', deliveryExample.id),
    event: schemaRef('Message'),
    status: schemaRef('DeliveryStatus'),
    attempts: listOf('DeliveryAttempt', 8, 'Each try so far, or the last eight of them, oldest first.'),
    nextAttemptAt: described(
      { ...utcDateTime, type: ['string', 'null'] },
      'When it is tried next, at the latest; null if it is not.',
      null,
    ),
    createdAt: described(utcDateTime, 'When it was made. UTC.', deliveryExample.createdAt),
  }),
  DeliveryStatus: enumeration(
    '`failed` when it was given up.',
    deliveryStatuses,
    deliveryStatuses.map((status) => `DELIVERY_${status.toUpperCase()}`),
  ),
  DeliveryAttempt: answered('One try to send an event.', {
    at: described(utcDateTime, 'When it began. UTC.', deliveryExample.createdAt),
    url: described(
      { type: 'string', maxLength: 300 },
      'Where it was sent: the first 300 characters of the address that the webhook had then.',
      webhookExample.url,
    ),
    status: described(
      { type: ['integer', 'null'], format: 'int32', minimum: 100, maximum: 999 },
      'The HTTP status of the answer; null if there was none.',
      204,
    ),
    durationMs: counted('How long it took, in milliseconds.', 41),
    answer: described(
      { type: ['string', 'null'], maxLength: 1024 },
      'The first 1 KB of the answer. Of one delivery, 2 KB are kept, of the newest tries: null for those before.',
      'ok',
    ),
    error: described({ type: ['string', 'null'], maxLength: 200 }, 'Why there was no answer.', null),
  }),
  DeliveryPage: pageSchema('One page of deliveries.', 'Delivery'),
};
