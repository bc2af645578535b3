import { type EventType, eventTypes } from '../domain/vocabulary.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { documentBody } from '../http/fields/body.ts';
import { allOptional, bodyField, boolean, type Field, optional, text } from '../http/fields/field.ts';
import { described, listOf, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { enumeration, responseSchema } from '../http/openapi/schemas.ts';
import type { Services } from '../http/operations/operation.ts';
import { typesOf, type Webhook } from './manage-webhooks.ts';

export const webhookExample = {
  id: 'wh_4fZqP0sXc81LmTnB',
  url: 'https://example.com/hook',
  types: ['order.placed', 'order.shipped'],
  active: true,
  createdAt: '2026-12-01T09:00:00.000Z',
};
export const webhookInputExample = { url: webhookExample.url, types: webhookExample.types };
export const newWebhookExample = {
  ...webhookExample,
  secret: 'whsec_0pOmQ2Zk5bq3Yt8mK1xw7h6nE4cR9aVd0sJfLuTgXyA=',
};

export interface WebhookServices extends Services {
  readonly webhooks: { readonly allowPrivate: boolean; readonly deliveries: { wake(): void } };
}

export const webhookId: Field<string> = {
  ...text({ maxLength: 64, pattern: '^wh_\\w{1,40}$' }, 'Id of the webhook.', webhookExample.id),
  schema: { type: 'string', minLength: 1, maxLength: 64 },
};

const anyUrl = text(
  { maxLength: 2000, pattern: '^[^\\u0000-\\u0020\\u007f]+$' },
  'URL to send events to: a public `https:` URL. Where the service listens on loopback, or runs with `--webhooks-private`, also `http:` and private addresses.',
  webhookExample.url,
);
/** The stricter pattern is only documented: a wrong URL is `invalid_webhook_url`, not `invalid_body`. */
const url = {
  ...anyUrl,
  schema: { ...anyUrl.schema, pattern: '^https?://[^\\u0000-\\u0020\\u007f]+$' },
};

const types = bodyField<readonly EventType[]>(
  {
    type: 'array',
    items: schemaRef('EventTypeInput'),
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'Event types to send. By default all, including types added later.',
  },
  `a list of one or more of ${eventTypes.join(', ')}, without duplicates`,
  (value) => {
    if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return undefined;
    return value.every((type) => eventTypes.includes(type)) ? value : undefined;
  },
  webhookExample.types,
);

const active = boolean('Whether events are sent. A reactivated webhook gets events from then on.', true);

export const webhookFields = { url, types: optional(types) };
export const webhookChangeFields = allOptional({ url, types, active });

export function showWebhook(webhook: Webhook) {
  const { id, url, active, created_at: createdAt } = webhook;
  return { id, url, types: typesOf(webhook), active: active === 1n, createdAt: writeDateTime(createdAt) };
}

const webhookProperties = {
  id: described({ type: 'string', minLength: 1, maxLength: 64 }, 'Unique webhook id.', webhookExample.id),
  url: described({ type: 'string', maxLength: 2000 }, 'URL that events are sent to.', webhookExample.url),
  types: { ...listOf('EventTypeName', 100, 'Event types that are sent.'), examples: [webhookExample.types] },
  active: described({ type: 'boolean' }, 'Whether events are sent.', true),
  createdAt: described(utcDateTime, 'When the webhook was created. UTC.', webhookExample.createdAt),
};

export const webhookSchemas = {
  Webhook: responseSchema('A webhook.', webhookProperties),
  WebhookWithSecret: responseSchema('A webhook with its secret.', {
    ...webhookProperties,
    secret: described(
      { type: 'string', minLength: 1, maxLength: 100, pattern: '^whsec_[A-Za-z0-9+/]+=*$' },
      'Signing secret. Shown only once.',
      newWebhookExample.secret,
    ),
  }),
  WebhookPage: responseSchema('All webhooks of the store.', {
    data: listOf('Webhook', 1_000, 'Oldest first.'),
    nextCursor: described(
      { type: ['string', 'null'], maxLength: 200 },
      'Always null: the list has one page.',
      null,
    ),
  }),
  EventTypeInput: enumeration('Event type that a webhook can subscribe to.', eventTypes),
  WebhookInput: documentBody(webhookFields, 'A webhook to create. Accepts no other fields.'),
  WebhookPatch: documentBody(webhookChangeFields, 'At least one field to change. Accepts no other fields.', {
    minProperties: 1,
  }),
};
