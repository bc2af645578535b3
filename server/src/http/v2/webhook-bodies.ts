import Type from 'typebox';
import { eventTypes } from '../../events/event-types.ts';
import { webhookUrlExample } from './examples.ts';

const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '^[^\\x00-\\x20\\x7f]+$',
  description: 'Where to send events: an `https:` address that anybody can reach.',
  examples: [webhookUrlExample],
});
const types = Type.Array(Type.String({ enum: [...eventTypes] }), {
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  description: 'Which events to send; by default all, those to come included.',
  examples: [['order.placed', 'order.shipped']],
});
const active = Type.Boolean({
  description: 'Whether anything is sent. One that is turned on again is sent what happens from then on.',
  examples: [true],
});

export const WebhookInput = Type.Object(
  { url, types: Type.Optional(types) },
  { description: 'A webhook to add. It has no other fields.', additionalProperties: false },
);

export const WebhookPatch = Type.Object(
  { url: Type.Optional(url), types: Type.Optional(types), active: Type.Optional(active) },
  {
    description: 'What to change of a webhook, at least one field. It has no others.',
    additionalProperties: false,
    minProperties: 1,
  },
);
