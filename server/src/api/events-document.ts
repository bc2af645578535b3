import { eventTypes } from '../domain/vocabulary.ts';
import { eventExamples, eventSchemaName, eventSchemas, nameOfType } from '../events/event-schemas.ts';
import { contactAt, DEMO_NOTICE, publishedServers, TITLE } from '../http/openapi/openapi.ts';
import { orderSchemas } from '../orders/order-view.ts';
import { petSchemas } from '../pets/pet-view.ts';

const reference = (path: string) => ({ $ref: `#/${path}` });

const serverAt = ({ host, protocol, pathname }: URL) => ({
  host,
  pathname: `${pathname.replace(/\/$/, '')}/v2`,
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
      summary:
        'The `data` field of a server-sent event. Its `event` field is the type, its `id` field the id.',
      payload: reference(`components/schemas/${eventSchemaName(type)}`),
      examples: [{ name: nameOfType(type), payload: eventExamples[type] }],
    },
  ]),
);

const eventSchemaNames = new Set(eventTypes.map(eventSchemaName));

/** The event stream as an AsyncAPI document; published as `contract/events.yaml`. */
export const buildEventsDocument = (servers = publishedServers) => ({
  asyncapi: '3.1.0',
  info: {
    title: `${TITLE}: events`,
    version: '2.0.0-beta.1',
    description: [
      'Every change to a store as a server-sent event. Request `GET /v2/store/events/stream` with an API key as a bearer token.',
      'Each change creates one event. Events arrive exactly once, in ascending order of id. A client that reconnects with `Last-Event-ID`, to any replica, neither misses nor repeats an event. The stream sends a comment at least every 15 seconds.',
      'The same events are listed at `/v2/store/events` and sent to webhooks; see the OpenAPI document.',
      DEMO_NOTICE,
    ].join('\n\n'),
    contact: contactAt(servers[0].origin),
  },
  defaultContentType: 'application/json',
  servers: Object.fromEntries(servers.map(({ name, origin }) => [name, serverAt(new URL(origin))])),
  channels: {
    storeEvents: {
      address: '/store/events/stream',
      title: 'Events of one store',
      description: 'The API key determines the store.',
      messages: Object.fromEntries(
        Object.keys(messages).map((name) => [name, reference(`components/messages/${name}`)]),
      ),
    },
  },
  operations: {
    sendEvents: {
      action: 'send',
      channel: reference('channels/storeEvents'),
      summary: 'Sends every change to the store as it happens.',
      'x-stability': 'experimental',
      bindings: { http: { method: 'GET' } },
    },
  },
  components: {
    messages,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, which gives access to one store.' },
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
