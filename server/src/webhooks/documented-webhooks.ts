import { eventTypes } from '../domain/vocabulary.ts';
import {
  eventExamples,
  eventSchemaName,
  nameOfType,
  TEST_MESSAGE,
  testMessage,
} from '../events/event-schemas.ts';
import { json, schemaRef } from '../http/openapi/openapi.ts';

const header = (name: string, description: string, example: string, required = true, maxLength = 256) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', maxLength },
  example,
});

const signed = [
  header('webhook-id', 'Id of the message, the same for every attempt.', 'msg_4fZqP0sXc81LmTnB_3'),
  header('webhook-timestamp', 'Time of this attempt, in Unix seconds.', '1796631300'),
  header(
    'webhook-signature',
    'One or more signatures, separated by spaces. Accept the message if any of them matches.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header(
    'traceparent',
    'Trace context of the request that made the change, if it had one (W3C Trace Context). Each attempt is a separate span.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01',
    false,
  ),
  header(
    'tracestate',
    'The first entries of the `tracestate` of that request, up to 512 characters. Only sent with `traceparent`.',
    'vendor=t61rcWkgMzE',
    false,
    512,
  ),
];

const rules = [
  'Each event is sent at least once, and may arrive out of order: sort by `id`. Respond with 2xx within 15 seconds, and process the event afterwards.',
  'Any other response is retried after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, each plus jitter; then the delivery fails. 410 deactivates the webhook. Redirects are not followed.',
  'Verify the signature before you process a message. It follows Standard Webhooks `v1`: HMAC-SHA256 with your secret over id, timestamp and body, joined by dots. `v1a` (ed25519) is not offered.',
].join('\n\n');

const message = (type: string, schema: string, example: object) => ({
  post: {
    operationId: `receive${nameOfType(type)}`,
    'x-stability': 'experimental',
    // Not the tag of the operations: generators that write a file per tag would overwrite it.
    tags: ['messages'],
    summary: `\`${type}\``,
    description: rules,
    parameters: signed,
    requestBody: { required: true, ...json(schemaRef(schema), example) },
    responses: {
      '2XX': { description: 'The message is accepted.' },
      410: { description: 'The receiver wants no more messages: the webhook is deactivated.' },
    },
  },
});

export const documentedWebhooks = Object.fromEntries([
  ...eventTypes.map((type) => [type, message(type, eventSchemaName(type), eventExamples[type])]),
  ['webhook.test', message('webhook.test', TEST_MESSAGE, testMessage)],
]);
