import type { V2Options } from '../api/v2-handling.ts';
import { DEFAULT_LIMIT, paging } from '../api/v2-list-parameters.ts';
import type { Schema } from '../database/schema.ts';
import { writeDateTime } from '../http/content/date-time.ts';
import { readQuery } from '../http/content/parameters.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import { type AnswerPage, slicesOf } from '../http/pages/page-answer.ts';
import type { Handler } from '../http/server/answer.ts';
import { KEPT_MS } from './inspector.ts';
import { momentOf, requestIdAt, requestPage } from './record-requests.ts';

const MAX_ID = 2n ** 63n - 1n;

/** The inspector of version 2. */
export function requestHandlers({ db, clock, cursors }: V2Options, answerPage: AnswerPage) {
  const listRequests: Handler = async (request) => {
    const { limit = BigInt(DEFAULT_LIMIT), cursor } = readQuery(paging, request.query);
    const { storeId } = callerOf(request);
    const purpose = `requests ${storeId}`;
    const before = cursor === undefined ? MAX_ID : cursors.read(purpose, cursor)[1];
    const since = requestIdAt(clock() - KEPT_MS, 0);
    return answerPage(request, {
      // Each has up to 4 KB of both bodies.
      ...slicesOf(limit, 16n, (last: Schema['requests'] | undefined, most) =>
        db.all(requestPage, { storeId, since, before: last?.id ?? before, limit: most }),
      ),
      write: writeRequest,
      cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
    });
  };
  return { listRequests };
}

function writeRequest(row: Schema['requests']): string {
  return JSON.stringify({
    id: String(row.id),
    at: writeDateTime(momentOf(row.id)),
    method: row.method,
    path: row.path,
    operation: row.operation,
    status: Number(row.status),
    error: row.error,
    durationMs: Number(row.micros) / 1000,
    requestId: row.request_id,
    keyId: row.key_id,
    userAgent: row.user_agent,
    requestBody: row.request_body,
    answerBody: row.answer_body,
  });
}
