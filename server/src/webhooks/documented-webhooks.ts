import {
  eventExamples,
  eventSchemaName,
  nameOfType,
  TEST_MESSAGE,
  testMessage,
} from '../events/event-schemas.ts';
import { json, schemaRef } from '../http/openapi/openapi.ts';
import { eventTypes } from '../vocabulary.ts';

const header = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', maxLength: 256 },
  example,
});

const signed = [
  header('webhook-id', 'Identifies the message: the same for every try.', 'msg_4fZqP0sXc81LmTnB_3'),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970.', '1796631300'),
  header(
    'webhook-signature',
    'One or several signatures, separated by spaces; one that fits is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header(
    'traceparent',
    'The trace of the request that made the change, if that had one (W3C Trace Context); each try is a span of its own.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01',
    false,
  ),
];

const rules = [
  'Each event is sent at least once, not always in order: its `id` tells the order. Answer with 2xx within 15 seconds; the rest can wait.',
  'Anything else is tried again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, a little later each time, and then given up. 410 turns the webhook off. Redirects are not followed.',
  'Check the signature before you believe it: it is of the form of Standard Webhooks (`v1`, HMAC-SHA256 with your secret over id, timestamp and body, joined by dots).',
].join('\n\n');

const message = (type: string, schema: string, example: object) => ({
  post: {
    operationId: `receive${nameOfType(type)}`,
    'x-stability': 'experimental',
    // A generator that makes a file for each tag would write this one over that of the operations.
    tags: ['messages'],
    summary: `\`${type}\``,
    description: rules,
    parameters: signed,
    requestBody: { required: true, ...json(schemaRef(schema), example) },
    responses: {
      '2XX': { description: 'It arrived.' },
      410: { description: 'Nothing more is wanted: the webhook is turned off.' },
    },
  },
});

export const documentedWebhooks = Object.fromEntries([
  ...eventTypes.map((type) => [type, message(type, eventSchemaName(type), eventExamples[type])]),
  ['webhook.test', message('webhook.test', TEST_MESSAGE, testMessage)],
]);
