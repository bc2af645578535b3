import { delivery, newWebhook, webhook } from '../api/v2-examples.ts';
import { answered, enumeration } from '../http/openapi/document-parts.ts';
import { int64, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/page-schema.ts';
import { deliveryStatuses } from './delivery.ts';
import { webhookBodySchemas } from './webhook-bodies.ts';

const webhookProperties = {
  id: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description: 'Unique webhook identifier.',
    examples: [webhook.id],
  },
  url: { type: 'string', maxLength: 2000, description: 'Where events are sent.', examples: [webhook.url] },
  types: {
    type: 'array',
    items: schemaRef('EventType'),
    maxItems: 100,
    description: 'Which events are sent.',
    examples: [webhook.types],
  },
  active: { type: 'boolean', description: 'Whether anything is sent.', example: true },
  createdAt: { ...utcDateTime, description: 'When it was added. UTC.', examples: [webhook.createdAt] },
};

export const webhookSchemas = {
  Webhook: answered('A webhook.', webhookProperties),
  WebhookWithSecret: answered('A webhook and its secret.', {
    ...webhookProperties,
    secret: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^whsec_[A-Za-z0-9+/]+=*$',
      description: 'Signs what is sent. Shown once.',
      examples: [newWebhook.secret],
    },
  }),
  WebhookPage: answered('All webhooks of the store.', {
    data: { type: 'array', items: schemaRef('Webhook'), maxItems: 10, description: 'Oldest first.' },
    nextCursor: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'Always null: there is no further page.',
      examples: [null],
    },
  }),
  ...webhookBodySchemas,
  Delivery: answered('An event on its way to a webhook.', {
    id: { ...int64, description: 'Counted for each webhook from 1.', examples: [delivery.id] },
    event: schemaRef('Message'),
    status: schemaRef('DeliveryStatus'),
    attempts: {
      type: 'array',
      items: schemaRef('DeliveryAttempt'),
      maxItems: 8,
      description: 'Each try so far, or the last eight of them, oldest first.',
    },
    nextAttemptAt: {
      ...utcDateTime,
      type: ['string', 'null'],
      description: 'When it is tried next, at the latest; null if it is not.',
      examples: [null],
    },
    createdAt: { ...utcDateTime, description: 'When it was made. UTC.', examples: [delivery.createdAt] },
  }),
  DeliveryStatus: enumeration(
    '`failed` when it was given up.',
    deliveryStatuses,
    deliveryStatuses.map((status) => `DELIVERY_${status.toUpperCase()}`),
  ),
  DeliveryAttempt: answered('One try to send an event.', {
    at: { ...utcDateTime, description: 'When it began. UTC.', examples: [delivery.createdAt] },
    status: {
      type: ['integer', 'null'],
      format: 'int32',
      minimum: 100,
      maximum: 999,
      description: 'The HTTP status of the answer; null if there was none.',
      examples: [204],
    },
    durationMs: { ...int64, minimum: 0, description: 'How long it took, in milliseconds.', examples: [41] },
    answer: {
      type: ['string', 'null'],
      maxLength: 1024,
      description:
        'The first 1 KB of the answer. Of one delivery, 2 KB are kept, of the newest tries: null for those before.',
      examples: ['ok'],
    },
    error: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'Why there was no answer.',
      examples: [null],
    },
  }),
  DeliveryPage: pageSchema('One page of deliveries.', 'Delivery'),
};
