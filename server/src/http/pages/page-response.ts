import { keyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import { yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { jsonTextResponse } from '../content/negotiation.ts';
import { callerOf } from '../guards/caller.ts';
import type { Request, Response } from '../server/request.ts';

const MAX_LONG_PAGES = 8;
/** A longer page ends early: its cursor says where to go on. */
const MAX_BYTES = 1_000_000;
/** A page is short if a turn has room for so many of them. */
const SHORT_PAGES_PER_TICK = 8n;

export interface Page<R> {
  readonly limit: bigint;
  /** The rows in their order, one more than `limit` if there are so many. A slice is the work of one turn. */
  readonly slices: AsyncIterable<readonly R[]>;
  readonly isShort: boolean;
  readonly write: (row: R) => string;
  readonly cursorAfter: (row: R) => string;
  readonly parameter?: string;
}

export type RespondWithPage = <R>(request: Request, page: Page<R>) => Promise<Response>;

/** A short page is made at once. A long one waits for a slot of its tenant, and then for a turn before each slice. */
export function pageResponses(): RespondWithPage {
  const longPages = keyedSemaphore(MAX_LONG_PAGES);
  return async (request, page) => {
    if (page.isShort) return responseFor(request, page, async () => {});
    using _ = await longPages.acquire(callerOf(request).tenantId);
    return await responseFor(request, page, yieldToEventLoop);
  };
}

/** `read` goes on behind the row that it is given. */
export function slicesOf<R>(
  limit: bigint,
  rowsPerTick: bigint,
  read: (last: R | undefined, limit: bigint) => Promise<readonly R[]>,
): Pick<Page<R>, 'limit' | 'slices' | 'isShort'> {
  async function* slices() {
    let last: R | undefined;
    for (let left = limit + 1n; left > 0n; left -= rowsPerTick) {
      const most = left < rowsPerTick ? left : rowsPerTick;
      const rows = await read(last, most);
      yield rows;
      if (rows.length < most) return;
      last = rows.at(-1);
    }
  }
  return { limit, slices: slices(), isShort: limit * SHORT_PAGES_PER_TICK <= rowsPerTick };
}

async function responseFor<R>(
  request: Request,
  page: Page<R>,
  nextTick: () => Promise<void>,
): Promise<Response> {
  const { cursorAfter, parameter = 'cursor' } = page;
  const { texts, last } = await written(page, nextTick);
  const next = last === undefined ? null : cursorAfter(last);
  if (next !== null) {
    const query = new URLSearchParams(request.query);
    query.set(parameter, next);
    request.responseHeaders.push('link', `<${request.path}?${query}>; rel="next"`);
  }
  return jsonTextResponse(request, `{"data":[${texts.join()}],"nextCursor":${JSON.stringify(next)}}`);
}

/** `last` is the row that the page ends with, if others follow. */
async function written<R>({ slices, write, limit }: Page<R>, nextTick: () => Promise<void>) {
  const texts: string[] = [];
  let bytes = 0;
  let last: R | undefined;
  await nextTick();
  for await (const rows of slices) {
    for (const row of rows) {
      const isFull = texts.length === Number(limit) || bytes > MAX_BYTES;
      if (isFull && last !== undefined) return { texts, last };
      const text = write(row);
      texts.push(text);
      bytes += Buffer.byteLength(text);
      last = row;
    }
    await nextTick();
  }
  return { texts };
}
