import { answered } from '../http/openapi/document-parts.ts';
import { utcDateTime } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/page-schema.ts';

export const inspectedRequest = {
  id: '1883905868595200000',
  at: '2026-12-07T08:15:00.000Z',
  method: 'POST',
  path: '/v2/store/orders/4/ship',
  operation: 'shipOrder',
  status: 409,
  error: 'invalid_transition',
  fault: null,
  durationMs: 1.204,
  requestId: '3f1c8d4e-5b0a-4a57-9a55-0a8f6c1f0b3d',
  keyId: 'key_8s3KfQx0bZ1mTn4P',
  userAgent: 'curl/8.14.1',
  requestBody: null,
  answerBody: '{"code":"invalid_transition","message":"…","status":409}',
};

function optionalText(maxLength: number, description: string, example: string) {
  return { type: ['string', 'null'], maxLength, description, examples: [example] };
}

export const requestSchemas = {
  InspectedRequest: answered('A request to the store, and what came of it.', {
    id: {
      type: 'string',
      minLength: 1,
      maxLength: 19,
      description: 'Unique, and growing with time.',
      examples: [inspectedRequest.id],
    },
    at: { ...utcDateTime, description: 'When it was answered. UTC.', examples: [inspectedRequest.at] },
    method: { type: 'string', maxLength: 32, description: 'The HTTP method.', examples: ['GET'] },
    path: {
      type: 'string',
      maxLength: 2000,
      description: 'Path and query.',
      examples: [inspectedRequest.path],
    },
    operation: optionalText(100, 'The operation that it asked for.', inspectedRequest.operation),
    status: {
      type: ['integer', 'null'],
      format: 'int32',
      minimum: 100,
      maximum: 599,
      description:
        'The HTTP status; null where a fault of the sandbox took the place of the answer. With the fault `lost-answer`, the status of the answer that was lost.',
      examples: [409],
    },
    error: optionalText(64, 'The code of the error.', inspectedRequest.error),
    fault: optionalText(32, 'The fault of the sandbox that it met; null if none.', 'lost-answer'),
    durationMs: {
      type: 'number',
      minimum: 0,
      description: 'How long it took, in milliseconds.',
      examples: [1.2],
    },
    requestId: {
      type: 'string',
      maxLength: 64,
      description: 'Its `X-Request-Id`.',
      examples: [inspectedRequest.requestId],
    },
    keyId: {
      type: 'string',
      maxLength: 64,
      description:
        'Which key it came with; `session` for what was tried out in the API reference by somebody signed in.',
      examples: [inspectedRequest.keyId],
    },
    userAgent: optionalText(200, 'What sent it.', inspectedRequest.userAgent),
    requestBody: optionalText(4096, 'The first 4 KB of what was sent.', '{"petId":13}'),
    answerBody: optionalText(4096, 'The first 4 KB of the answer.', inspectedRequest.answerBody),
  }),
  RequestPage: pageSchema('One page of requests.', 'InspectedRequest'),
};
