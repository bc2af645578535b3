import { KEPT_MS } from '../../background/inspector.ts';
import { momentOf, requestIdAt, requestPage } from '../../requests/record-requests.ts';
import { writeDateTime } from '../content/date-time.ts';
import { jsonTextAnswer } from '../content/json-answer.ts';
import { callerOf } from '../guards/authenticate.ts';
import type { Handler } from '../server/answer.ts';
import { nextLink, type V2Options } from './handling.ts';
import { DEFAULT_LIMIT, paging } from './list-parameters.ts';
import { readQuery } from './parameters.ts';
import { writePage } from './write.ts';

const MAX_ID = 2n ** 63n - 1n;

/** The inspector of version 2. */
export function requestHandlers({ db, clock, cursors }: V2Options) {
  const listRequests: Handler = async (request) => {
    const { limit = BigInt(DEFAULT_LIMIT), cursor } = readQuery(paging, request.originalUrl);
    const { storeId } = callerOf(request);
    const purpose = `requests ${storeId}`;
    const before = cursor === undefined ? MAX_ID : cursors.read(purpose, cursor)[1];
    const since = requestIdAt(clock() - KEPT_MS, 0);
    const rows = await db.all(requestPage, { storeId, since, before, limit: limit + 1n });
    const page = rows.slice(0, Number(limit));
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const next = last ? cursors.write(purpose, [0n, last.id]) : null;
    if (next !== null) request.answerHeaders.push('link', nextLink(request, next));
    const shown = page.map((row) =>
      JSON.stringify({
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
      }),
    );
    return jsonTextAnswer(request, writePage(shown, next));
  };
  return { listRequests };
}
