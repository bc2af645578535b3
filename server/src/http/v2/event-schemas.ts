import { eventTypes } from '../../events/event-types.ts';
import { schemaRef, utcDateTime } from '../openapi/openapi.ts';
import { answered } from './document-parts.ts';
import { shippedEvent } from './examples.ts';
import { MAX_LIMIT } from './list-parameters.ts';

const EVENT_ID = {
  type: 'string',
  minLength: 1,
  maxLength: 19,
  pattern: '^[1-9][0-9]*$',
  examples: [shippedEvent.id],
} as const;

export const eventSchemas = {
  Event: answered('Something that happened in the store.', {
    id: { ...EVENT_ID, description: 'The revision that it brought the store to.' },
    type: schemaRef('EventType'),
    at: { ...utcDateTime, description: 'When it happened. UTC.', examples: [shippedEvent.at] },
    data: {
      type: 'object',
      description:
        'The order or the pet as it was then: an `Order` for `order.…`, a `Pet` for `pet.…`, nothing for others.',
      anyOf: [schemaRef('Order'), schemaRef('Pet'), { type: 'object' }],
      examples: [shippedEvent.data],
    },
  }),
  EventType: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z]+\\.[a-z]+$',
    description: 'What happened. An open list: pass over types that you do not know.',
    examples: eventTypes,
    'x-extensible-enum': eventTypes,
  },
  EventPage: answered('One page of events.', {
    data: { type: 'array', items: schemaRef('Event'), maxItems: MAX_LIMIT, description: 'Oldest first.' },
    nextCursor: {
      ...EVENT_ID,
      type: ['string', 'null'],
      description: 'Pass it as `after` for the next page; null on the last.',
    },
  }),
};
