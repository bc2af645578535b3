import {
  delivery,
  eventExamples,
  newWebhook,
  testMessage,
  webhook,
  webhookInput,
} from '../api/v2-examples.ts';
import { paging } from '../api/v2-list-parameters.ts';
import { eventSchemaName, nameOfType, TEST_MESSAGE } from '../events/event-schemas.ts';
import { eventTypes } from '../events/event-types.ts';
import { documentParameters } from '../http/content/parameters.ts';
import { anyOperationAnswers, forbidden, notFound } from '../http/openapi/answers.ts';
import {
  answer,
  bodyAnswers,
  errorAnswer,
  experimental,
  invalidQuery,
  pathId,
} from '../http/openapi/document-parts.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { headerRef, json, schemaRef } from '../http/openapi/openapi.ts';

const tags = ['webhooks'];
const common = { ...experimental, tags } as const;

const webhookId = {
  name: 'webhookId',
  in: 'path',
  required: true,
  description: 'Identifier of the webhook.',
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: webhook.id,
};
const parameters = [webhookId];
const invalidUrl = { 422: errorAnswer('Nothing can be sent to that address.', ['invalid_webhook_url']) };
const accepted = answer('It is on its way.', 'Delivery', {
  ...delivery,
  status: 'pending',
  attempts: [],
  nextAttemptAt: delivery.createdAt,
});

/** The webhook operations, as the document has them. */
export const webhookPaths = {
  '/webhooks': {
    get: {
      operationId: 'listWebhooks',
      ...common,
      summary: 'List webhooks',
      description: 'All of them, oldest first. Their secrets are not shown.',
      responses: {
        200: answer('The webhooks.', 'WebhookPage', { data: [webhook], nextCursor: null }),
        ...anyOperationAnswers,
      },
    },
    post: {
      operationId: 'createWebhook',
      ...common,
      summary: 'Add a webhook',
      description:
        'It is sent what happens from now on. The secret that signs is shown in this answer, and never again. A store has at most 10.',
      requestBody: { required: true, ...json(schemaRef('WebhookInput'), webhookInput) },
      responses: {
        201: answer('The webhook is added.', 'WebhookWithSecret', newWebhook, {
          ...everyAnswer,
          Location: headerRef('WebhookLocation'),
        }),
        ...anyOperationAnswers,
        ...forbidden,
        ...bodyAnswers,
        409: errorAnswer('The store has 10 webhooks already.', ['webhook_limit_reached']),
        ...invalidUrl,
      },
    },
  },
  '/webhooks/{webhookId}': {
    get: {
      operationId: 'getWebhook',
      ...common,
      summary: 'Read one webhook',
      description: 'Without its secret.',
      parameters,
      responses: { 200: answer('The webhook.', 'Webhook', webhook), ...anyOperationAnswers, ...notFound },
    },
    patch: {
      operationId: 'changeWebhook',
      ...common,
      summary: 'Change a webhook, or turn it off or on',
      description: 'What is given is changed, the rest stays.',
      parameters,
      requestBody: {
        required: true,
        ...json(schemaRef('WebhookPatch'), { active: false }),
        'x-also-as': ['application/merge-patch+json'],
      },
      responses: {
        200: answer('The webhook, changed.', 'Webhook', { ...webhook, active: false }),
        ...anyOperationAnswers,
        ...forbidden,
        ...bodyAnswers,
        ...notFound,
        ...invalidUrl,
      },
    },
    delete: {
      operationId: 'deleteWebhook',
      ...common,
      summary: 'Delete a webhook',
      description: 'Nothing more is sent to it; what there was to send is forgotten.',
      parameters,
      responses: {
        204: { description: 'It is gone.', headers: everyAnswer },
        ...anyOperationAnswers,
        ...forbidden,
        ...notFound,
      },
    },
  },
  '/webhooks/{webhookId}/roll-secret': {
    post: {
      operationId: 'rollWebhookSecret',
      ...common,
      summary: 'Give a webhook a new secret',
      description: 'For 24 hours both secrets sign, so that receivers can change over without missing any.',
      parameters,
      responses: {
        200: answer('The webhook and its new secret, shown once.', 'WebhookWithSecret', newWebhook),
        ...anyOperationAnswers,
        ...forbidden,
        ...notFound,
      },
    },
  },
  '/webhooks/{webhookId}/test': {
    post: {
      operationId: 'testWebhook',
      ...common,
      summary: 'Send a webhook something to see whether it arrives',
      description: 'An event of the type `webhook.test`, whatever types the webhook is for.',
      parameters,
      responses: { 202: accepted, ...anyOperationAnswers, ...forbidden, ...notFound },
    },
  },
  '/webhooks/{webhookId}/deliveries': {
    get: {
      operationId: 'listDeliveries',
      ...common,
      summary: 'List what was sent to a webhook, by page',
      description: 'Newest first; kept for 7 days.',
      parameters: [webhookId, ...documentParameters(paging)],
      responses: {
        200: answer(
          'One page, and the cursor of the next.',
          'DeliveryPage',
          { data: [delivery], nextCursor: null },
          { ...everyAnswer, Link: headerRef('DeliveriesLink') },
        ),
        ...anyOperationAnswers,
        ...notFound,
        400: invalidQuery,
      },
    },
  },
  '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': {
    post: {
      operationId: 'redeliver',
      ...common,
      summary: 'Send something once more',
      description:
        'At once, and if that fails as often as a new delivery. It is the same message, with the same id.',
      parameters: [webhookId, pathId('deliveryId', 'delivery', delivery.id)],
      responses: { 202: accepted, ...anyOperationAnswers, ...forbidden, ...notFound },
    },
  },
} as const;

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
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
];

const rules = [
  'Each event is sent at least once, not always in order: its `id` tells the order. Answer with 2xx within 15 seconds; the rest can wait.',
  'Anything else is tried again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, a little later each time, and then given up. 410 turns the webhook off. Redirects are not followed.',
  'Check the signature before you believe it: it is of the form of Standard Webhooks (`v1`, HMAC-SHA256 with your secret over id, timestamp and body, joined by dots).',
].join('\n\n');

const message = (type: string, schema: string, example: object) => ({
  post: {
    operationId: `receive${nameOfType(type)}`,
    ...common,
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

/** What a webhook is sent, in the form of Standard Webhooks: one for each type. */
export const sentWebhooks = Object.fromEntries([
  ...eventTypes.map((type) => [type, message(type, eventSchemaName(type), eventExamples[type])]),
  ['webhook.test', message('webhook.test', TEST_MESSAGE, testMessage)],
]);
