import { eventExamples, eventSchemaName, eventSchemas, nameOfType } from '../events/event-schemas.ts';
import { contactAt, FOR_DEMONSTRATION, published, TITLE } from '../http/openapi/openapi.ts';
import { orderSchemas } from '../orders/shown-order.ts';
import { petSchemas } from '../pets/shown-pet.ts';
import { eventTypes } from '../vocabulary.ts';

const reference = (path: string) => ({ $ref: `#/${path}` });

const serverAt = ({ host, protocol }: URL) => ({
  host,
  pathname: '/v2',
  protocol: protocol.slice(0, -1),
  security: [reference('components/securitySchemes/apiKey')],
});

const messages = Object.fromEntries(
  eventTypes.map((type) => [
    nameOfType(type),
    {
      name: type,
      title: type,
      contentType: 'application/json',
      summary: 'The `data` of a server-sent event whose `event` is the type and whose `id` is the id.',
      payload: reference(`components/schemas/${eventSchemaName(type)}`),
      examples: [{ name: nameOfType(type), payload: eventExamples[type] }],
    },
  ]),
);

const eventSchemaNames = new Set(eventTypes.map(eventSchemaName));

/** The stream of events as AsyncAPI has it; published as `contract/events.yaml`. */
export const eventsDocumentAt = (running = published) => ({
  asyncapi: '3.0.0',
  info: {
    title: `${TITLE}: events`,
    version: '2.0.0-beta.1',
    description: [
      'What happens in a store, as server-sent events: `GET /v2/store/events/stream` with an API key as a bearer token.',
      'Every change is one event, exactly once, in the order of their ids. A client that reconnects with `Last-Event-ID`, to any replica, misses nothing and gets nothing twice. A comment comes at least every 15 seconds.',
      'The same events are read by page from `/v2/store/events`, and sent to webhooks; the OpenAPI document tells of both.',
      FOR_DEMONSTRATION,
    ].join('\n\n'),
    contact: contactAt(running[0].origin),
  },
  defaultContentType: 'application/json',
  servers: Object.fromEntries(running.map(({ name, origin }) => [name, serverAt(new URL(origin))])),
  channels: {
    storeEvents: {
      address: '/store/events/stream',
      title: 'The events of one store',
      description: 'Which store it is, the API key tells.',
      messages: Object.fromEntries(
        Object.keys(messages).map((name) => [name, reference(`components/messages/${name}`)]),
      ),
    },
  },
  operations: {
    sendEvents: {
      action: 'send',
      channel: reference('channels/storeEvents'),
      summary: 'Tells of everything that happens in the store, as it happens.',
      'x-stability': 'experimental',
      bindings: { http: { method: 'GET' } },
    },
  },
  components: {
    messages,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: it opens one store.' },
    },
    schemas: {
      ...Object.fromEntries(Object.entries(eventSchemas).filter(([name]) => eventSchemaNames.has(name))),
      Order: orderSchemas.Order,
      OrderStatus: orderSchemas.OrderStatus,
      Pet: petSchemas.Pet,
      PetStatus: petSchemas.PetStatus,
    },
  },
});
