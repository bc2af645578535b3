import { webhookUrlExample } from '../api/v2-examples.ts';
import { type EventType, eventTypes } from '../events/event-types.ts';
import { boolean, documentBody, type Field, optional, text } from '../http/content/body.ts';
import { enumeration } from '../http/openapi/document-parts.ts';
import { schemaRef } from '../http/openapi/openapi.ts';

const anyText = text(
  { maxLength: 2000, pattern: '^[^\\u0000-\\u0020\\u007f]+$' },
  'Where to send events: an `https:` address that anybody can reach.',
  webhookUrlExample,
);
/** What is no address is refused as one, not as a wrong text. */
const url = {
  ...anyText,
  document: { ...anyText.document, pattern: '^https?://[^\\u0000-\\u0020\\u007f]+$' },
};

const types: Field<readonly EventType[]> = {
  document: {
    type: 'array',
    items: schemaRef('EventTypeInput'),
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'Which events to send; by default all, those to come included.',
    examples: [['order.placed', 'order.shipped']],
  },
  read(value) {
    if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return undefined;
    return value.every((type) => eventTypes.includes(type)) ? value : undefined;
  },
  expected: `a list of different ones out of: ${eventTypes.join(', ')}`,
};

const active = boolean(
  'Whether anything is sent. One that is turned on again is sent what happens from then on.',
  true,
);

export const webhookFields = { url, types: optional(types) };
export const webhookChangeFields = {
  url: optional(url),
  types: optional(types),
  active: optional(active),
};

export const webhookBodySchemas = {
  EventTypeInput: enumeration(
    'What a webhook can be sent.',
    eventTypes,
    eventTypes.map((type) => type.toUpperCase().replace('.', '_')),
  ),
  WebhookInput: documentBody(webhookFields, 'A webhook to add. It has no other fields.'),
  WebhookPatch: documentBody(
    webhookChangeFields,
    'What to change of a webhook, at least one field. It has no others.',
    { minProperties: 1 },
  ),
};
