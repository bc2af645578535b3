import { orderStatuses } from '../../orders/states.ts';
import { etagAt, etagOf, isNotModified } from '../content/conditional.ts';
import { jsonTextAnswer } from '../content/json-answer.ts';
import { callerOf } from '../guards/authenticate.ts';
import type { Handler } from '../server/answer.ts';
import type { Counts, StoreSummary } from '../summaries/store-summary.ts';
import { SummaryCache } from '../summaries/summary-cache.ts';
import { mondayOf } from '../summaries/weeks.ts';
import type { V2Options } from './handling.ts';
import { MOST_WEEKS } from './summary-operations.ts';

/** The summary of version 2. */
export function summaryHandlers({ db, summaryMemory }: V2Options) {
  const summaries = new SummaryCache(db, writeSummary, summaryMemory);

  const getSummary: Handler = async (request) => {
    const caller = callerOf(request);
    const etag = etagOf(caller);
    if (isNotModified(request.headers, etag)) return { status: 304, headers: ['etag', etag] };
    const { revision, text } = await summaries.get(caller.storeId, caller.revision);
    return jsonTextAnswer(request, text, 200, ['etag', etagAt(caller, revision)]);
  };

  return { getSummary };
}

function writeSummary(summary: StoreSummary, revision: bigint): string {
  const weeks = summary
    .lastWeeks(MOST_WEEKS)
    .map(({ week, counts }) => `{"week":"${mondayOf(week)}",${writeCounts(counts)}}`);
  const stock = Array.from(summary.stock, ([petId, stock]) => `{"petId":${petId},"stock":${stock}}`);
  return `{"orders":{${writeCounts(summary.orders)}},"weeks":[${weeks}],"stock":[${stock}],"revision":${revision}}`;
}

function writeCounts(counts: Counts): string {
  return orderStatuses.map((status) => `"${status}":${counts[status]}`).join();
}
