import { type EventType, eventTypes } from '../domain/vocabulary.ts';
import { described, listOf, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { responseSchema } from '../http/openapi/schemas.ts';
import { MAX_LIMIT } from '../http/pages/paging.ts';
import {
  deliveredOrderExample,
  orderExample,
  placedOrderExample,
  shippedOrderExample,
} from '../orders/order-view.ts';
import { changedPetExample, createdPetExample } from '../pets/pet-view.ts';

const { updatedAt } = shippedOrderExample;
const event = (type: EventType, data: object, at = updatedAt) => ({ id: '17', type, at, data });
export const eventExamples = {
  'order.placed': event('order.placed', placedOrderExample, placedOrderExample.placedAt),
  'order.shipped': event('order.shipped', shippedOrderExample),
  'order.delivered': event('order.delivered', deliveredOrderExample, deliveredOrderExample.updatedAt),
  'order.cancelled': event('order.cancelled', { ...orderExample, status: 'cancelled', updatedAt }),
  'pet.created': event('pet.created', createdPetExample),
  'pet.changed': event('pet.changed', changedPetExample),
  'store.reset': event('store.reset', {}),
} satisfies Record<EventType, object>;
export const testMessage = { id: '0', type: 'webhook.test', at: updatedAt, data: {} };
export const shippedEvent = eventExamples['order.shipped'];
const { id, type: name } = shippedEvent;
export const eventPage = { data: [shippedEvent], nextCursor: id };
export const serverSentEvent = { id, event: name, data: JSON.stringify(shippedEvent) };

const EVENT_ID = {
  type: 'string',
  minLength: 1,
  maxLength: 19,
  pattern: '^[1-9][0-9]*$',
  examples: [shippedEvent.id],
} as const;

/** `OrderPlaced` for `order.placed`: names in documents have no dots. */
export const nameOfType = (type: string) =>
  type.replace(/(^|\.)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

export const eventSchemaName = (type: EventType) => `${nameOfType(type)}Event`;

export const TEST_MESSAGE = 'WebhookTestMessage';

const type = (name: string) => ({ type: 'string', const: name, description: 'Type of the event.' });
const at = described(utcDateTime, 'When the event happened. UTC.', shippedEvent.at);
const emptyData = described({ type: 'object' }, 'Empty.', {});

function dataOf(name: EventType): object {
  if (name.startsWith('order.')) return schemaRef('Order');
  return name.startsWith('pet.') ? schemaRef('Pet') : emptyData;
}

function unionByType(description: string, schemas: Readonly<Record<string, string>>) {
  const references = Object.entries(schemas).map(([name, schema]) => [name, schemaRef(schema).$ref] as const);
  return {
    description,
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(references) },
  };
}

const schemaOfType = Object.fromEntries(eventTypes.map((name) => [name, eventSchemaName(name)]));

const eventByType = unionByType(
  'A change to the store. New types may be added: ignore types you do not know.',
  schemaOfType,
);

export const eventSchemas = {
  Event: eventByType,
  Message: unionByType('A message to a webhook: an event or a test.', {
    ...schemaOfType,
    'webhook.test': TEST_MESSAGE,
  }),
  ...Object.fromEntries(
    eventTypes.map((name) => [
      eventSchemaName(name),
      responseSchema(`An event of type \`${name}\`.`, {
        id: { ...EVENT_ID, description: 'The revision of the store after the change.' },
        type: type(name),
        at,
        data: dataOf(name),
      }),
    ]),
  ),
  [TEST_MESSAGE]: responseSchema('A test message. It is not an event: nothing changed in the store.', {
    id: { type: 'string', const: '0', description: 'Always `0`: a test has no revision.' },
    type: type('webhook.test'),
    at,
    data: emptyData,
  }),
  EventTypeName: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z]+\\.[a-z]+$',
    description: 'Type of the event. New types may be added: ignore types you do not know.',
    examples: eventTypes,
    'x-extensible-enum': eventTypes,
  },
  ServerSentEvent: responseSchema('An event of the stream.', {
    id: { ...EVENT_ID, description: 'Id of the event. Send the last one as `Last-Event-ID` to resume.' },
    event: schemaRef('EventTypeName'),
    data: {
      type: 'string',
      description: 'The event, as one line of JSON.',
      contentMediaType: 'application/json',
      contentSchema: schemaRef('Event'),
      examples: [serverSentEvent.data],
    },
  }),
  EventPage: responseSchema('A page of events.', {
    data: listOf('Event', MAX_LIMIT, 'Oldest first.'),
    nextCursor: {
      ...EVENT_ID,
      type: ['string', 'null'],
      description: 'Pass it as `after` to get the next page; null on the last page.',
    },
  }),
};

const OTHER_EVENT = 'OtherEvent';

/** For OpenAPI 3.2 only, because most generators support only listed types: `Event` that also accepts other types. */
export const extensibleEventSchemas = {
  Event: (({ description, ...known }) => ({ description, anyOf: [known, schemaRef(OTHER_EVENT)] }))(
    eventByType,
  ),
  [OTHER_EVENT]: responseSchema('An event of a type that this document does not know.', {
    id: { ...EVENT_ID, description: 'The revision of the store after the change.' },
    type: {
      type: 'string',
      pattern: '^[a-z]+\\.[a-z]+$',
      not: { enum: eventTypes },
      description: 'Type of the event.',
      examples: ['order.returned'],
    },
    at,
    data: described({ type: 'object' }, 'The resource that changed.', {}),
  }),
};
