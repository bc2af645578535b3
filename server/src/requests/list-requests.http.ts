import { page } from '../http/openapi/document-parts.ts';
import { operation, type Services } from '../http/openapi/operation.ts';
import { slicesOf } from '../http/pages/page-answer.ts';
import { DEFAULT_LIMIT, invalidQuery, nextLinkHeader, paging } from '../http/pages/paging.ts';
import { type RequestRow, requestIdAt, requestPage } from './record-requests.ts';
import { inspectedRequest, requestSchemas, writeRequest } from './shown-request.ts';

const MAX_ID = 2n ** 63n - 1n;
const KEPT_MS = 86_400_000;
const REQUESTS_OF_A_TURN = 16n;

const listRequests = operation({
  operationId: 'listRequests',
  at: 'GET /store/requests',
  summary: 'Read the last requests to the store, by page',
  description:
    'The last 200 requests of the last 24 hours that came with a key of the store, also a revoked or expired one (of those 50 at the most), newest first, some seconds after they were answered. Reading them is not among them, and neither is what the console asks for; what is tried out in the API reference is. Keys, cookies and the `Authorization` header are never kept. Of v2, the first 4 KB of both bodies are.',
  query: paging,
  answers: {
    200: page('RequestPage', { data: [inspectedRequest], nextCursor: null }, 'RequestsLink'),
    400: invalidQuery,
  },
  handle(
    { request, storeId, query: { limit = BigInt(DEFAULT_LIMIT), cursor } },
    { db, clock, cursors, answerPage }: Services,
  ) {
    const purpose = `requests ${storeId}`;
    const before = cursor === undefined ? MAX_ID : cursors.read(purpose, cursor)[1];
    const since = requestIdAt(clock() - KEPT_MS, 0);
    return answerPage(request, {
      ...slicesOf(limit, REQUESTS_OF_A_TURN, (last: RequestRow | undefined, most) =>
        db.all(requestPage, { storeId, since, before: last?.id ?? before, limit: most }),
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
  schemas: requestSchemas,
  headers: { RequestsLink: nextLinkHeader('/v2/store/requests') },
};
