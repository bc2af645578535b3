import { inspectedRequest } from '../api/v2-examples.ts';
import { answered } from '../http/openapi/document-parts.ts';
import { utcDateTime } from '../http/openapi/openapi.ts';
import { pageSchema } from '../http/pages/page-schema.ts';

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
      type: 'integer',
      format: 'int32',
      minimum: 100,
      maximum: 599,
      description: 'The HTTP status.',
      examples: [409],
    },
    error: optionalText(64, 'The code of the error.', inspectedRequest.error),
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
      description: 'Which key it came with.',
      examples: [inspectedRequest.keyId],
    },
    userAgent: optionalText(200, 'What sent it.', inspectedRequest.userAgent),
    requestBody: optionalText(4096, 'The first 4 KB of what was sent.', '{"petId":13}'),
    answerBody: optionalText(4096, 'The first 4 KB of the answer.', inspectedRequest.answerBody),
  }),
  RequestPage: pageSchema('One page of requests.', 'InspectedRequest'),
};
