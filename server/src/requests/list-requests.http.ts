import { writeDateTime } from '../http/encoding/date-time.ts';
import { documentView, serializer, type ViewFields } from '../http/fields/view-fields.ts';
import { described, utcDateTime } from '../http/openapi/openapi.ts';
import { page } from '../http/openapi/responses.ts';
import { operation, type Services } from '../http/operations/operation.ts';
import { readInSlices } from '../http/pages/page-response.ts';
import { DEFAULT_LIMIT, invalidQuery, nextLinkHeader, pageSchema, paging } from '../http/pages/paging.ts';
import { NO_STATUS, type RequestRow, requestIdAt, requestPage, timeOfId } from './record-requests.ts';

const MAX_ID = 2n ** 63n - 1n;
const RETENTION_MS = 86_400_000;
const REQUESTS_PER_TICK = 16n;

const inspectedRequest = {
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
  requestHeaders: { authorization: '…', 'user-agent': 'curl/8.14.1' },
  responseHeaders: { 'content-type': 'application/json' },
  requestBody: null,
  answerBody: '{"code":"invalid_transition","message":"…","status":409}',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

const textOf =
  (type: string | string[]) =>
  (column: keyof RequestRow, maxLength: number, description: string, example: string) => ({
    schema: described({ type, maxLength }, description, example),
    write: (row: RequestRow) => JSON.stringify(row[column]),
  });
const text = textOf('string');
const optionalText = textOf(['string', 'null']);

const headers = (
  column: 'request_headers' | 'response_headers',
  message: 'request' | 'response',
  example: Readonly<Record<string, string>>,
) => ({
  schema: described(
    { type: ['object', 'null'], additionalProperties: { type: 'string', maxLength: 4096 } },
    `The first 4 KB of the ${message} headers, by lowercase name. Credentials are replaced by \`…\`.`,
    example,
  ),
  write: (row: RequestRow) => row[column] ?? 'null',
});

const fields: ViewFields<RequestRow> = {
  id: {
    schema: described(
      { type: 'string', minLength: 1, maxLength: 19 },
      'Unique id, increasing over time.',
      inspectedRequest.id,
    ),
    write: ({ id }) => `"${id}"`,
  },
  at: {
    schema: described(utcDateTime, 'When the response was sent. UTC.', inspectedRequest.at),
    write: ({ id }) => `"${writeDateTime(timeOfId(id))}"`,
  },
  method: text('method', 32, 'The HTTP method.', 'GET'),
  path: text('path', 2000, 'Path and query.', inspectedRequest.path),
  operation: optionalText('operation', 100, 'The operationId of the request.', inspectedRequest.operation),
  status: {
    schema: described(
      { type: ['integer', 'null'], format: 'int32', minimum: 100, maximum: 599 },
      'The HTTP status; null if a sandbox fault replaced the response. With the fault `lost-answer`, the status of the lost response.',
      409,
    ),
    write: ({ status }) => (status === NO_STATUS ? 'null' : `${status}`),
  },
  error: optionalText('error', 64, 'The error code.', inspectedRequest.error),
  fault: optionalText('fault', 32, 'The sandbox fault that fired; null if none.', 'lost-answer'),
  durationMs: {
    schema: described({ type: 'number', minimum: 0 }, 'Duration in milliseconds.', 1.2),
    write: ({ micros }) => `${Number(micros) / 1000}`,
  },
  requestId: text('request_id', 64, 'The `X-Request-Id` of the request.', inspectedRequest.requestId),
  keyId: text(
    'key_id',
    64,
    'Id of the API key; `session` for requests sent from the API reference by a signed-in user.',
    inspectedRequest.keyId,
  ),
  userAgent: optionalText('user_agent', 200, 'The `User-Agent` header.', inspectedRequest.userAgent),
  requestHeaders: headers('request_headers', 'request', inspectedRequest.requestHeaders),
  responseHeaders: headers('response_headers', 'response', inspectedRequest.responseHeaders),
  requestBody: optionalText('request_body', 4096, 'The first 4 KB of the request body.', '{"petId":13}'),
  answerBody: optionalText(
    'answer_body',
    4096,
    'The first 4 KB of the response body.',
    inspectedRequest.answerBody,
  ),
  traceparent: optionalText(
    'traceparent',
    55,
    'The trace context sent by the client (W3C Trace Context); null if none.',
    inspectedRequest.traceparent,
  ),
};

const writeRequest = serializer(fields);

const listRequests = operation({
  operationId: 'listRequests',
  at: 'GET /store/requests',
  summary: 'List recent requests',
  description:
    'Returns up to 200 requests of the last 24 hours made with an API key of the store, newest first. Up to 50 of them may be from revoked or expired keys. A request appears a few seconds after its response. Calls to this operation and requests from the console are not recorded; requests sent from the API reference are. The first 4 KB of headers and of bodies are stored, without API keys, cookies and the value of the `Authorization` header.',
  query: paging,
  responses: {
    200: page('RequestPage', { data: [inspectedRequest], nextCursor: null }, 'RequestsLink'),
    400: invalidQuery,
  },
  handle({ request, storeId, query }, { db, clock, cursors, respondWithPage }: Services) {
    const { limit = BigInt(DEFAULT_LIMIT), cursor } = query;
    const purpose = `requests ${storeId}`;
    const before = cursor === undefined ? MAX_ID : cursors.read(purpose, cursor)[1];
    const since = requestIdAt(clock() - RETENTION_MS, 0);
    return respondWithPage(request, {
      ...readInSlices(limit, REQUESTS_PER_TICK, (last: RequestRow | undefined, size) =>
        db.all(requestPage, { storeId, since, before: last?.id ?? before, limit: size }),
      ),
      write: writeRequest,
      cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
    });
  },
});

export const requestsFeature = {
  tag: 'inspector',
  stability: 'experimental',
  operations: [listRequests],
  schemas: {
    InspectedRequest: documentView('A request to the store and its response.', fields),
    RequestPage: pageSchema('A page of requests.', 'InspectedRequest'),
  },
  headers: { RequestsLink: nextLinkHeader('/v2/store/requests') },
};
