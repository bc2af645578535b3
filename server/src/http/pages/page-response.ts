import { keyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import { yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { jsonTextResponse } from '../content/negotiation.ts';
import { findCached, type ResponseCache, toCachedResponse } from '../content/response-cache.ts';
import { callerOf } from '../guards/caller.ts';
import type { Request, Response } from '../server/request.ts';
import { rejectBeyondUnreadLimit } from '../server/send.ts';

const MAX_LONG_PAGES_PER_TENANT = 8;
/** A longer page ends early, with a cursor. */
const MAX_BYTES = 1_000_000;
/** A page is short if this many fit into one tick. */
const SHORT_PAGES_PER_TICK = 8;
/** Characters. Pages with a longer query are not cached: the cache does not measure its keys, which contain the query. */
const MAX_CACHED_QUERY = 500;

export interface Page<R> {
  /** Caches the page under this name: it depends only on the query and the revision of the store. */
  readonly name?: string;
  readonly limit: bigint;
  /** The rows in order, one more than `limit` if there are more. Each slice is read in one event-loop tick. */
  readonly slices: AsyncIterable<readonly R[]>;
  readonly isShort: boolean;
  readonly write: (row: R) => string;
  readonly cursorAfter: (row: R) => string;
  /** Query parameter for the cursor; `cursor` by default. */
  readonly cursorParameter?: string;
  /** Query string of the page, if it is not that of the request. */
  readonly query?: string | undefined;
}

export type RespondWithPage = <R>(request: Request, page: Page<R>) => Promise<Response>;

/** A few short pages per tick are created at once. Long ones queue per tenant, and yield before each slice. */
export function pageResponses(responses: ResponseCache): RespondWithPage {
  const longPages = keyedSemaphore(MAX_LONG_PAGES_PER_TENANT);
  let shortPagesInTick = 0;

  /** Returns whether the current tick already has its share of short pages. */
  function countShortPage(): boolean {
    if (shortPagesInTick === 0)
      setImmediate(() => {
        shortPagesInTick = 0;
      });
    return ++shortPagesInTick > SHORT_PAGES_PER_TICK;
  }

  async function create<R>(request: Request, page: Page<R>) {
    const { tenantId } = callerOf(request);
    if (!page.isShort) {
      rejectBeyondUnreadLimit(request);
      return createPage(page, () => yieldToEventLoop(tenantId));
    }
    if (countShortPage()) await yieldToEventLoop(tenantId);
    return createPage(page, async () => {});
  }

  async function findOrCreate<R>(request: Request, page: Page<R>, key: string) {
    const { revision } = callerOf(request);
    const cached = findCached(responses, key, revision);
    if (cached) return { text: cached.bytes, next: cached.next };
    const { text, next } = await create(request, page);
    const created = { ...toCachedResponse(revision, text), next };
    responses.set(key, created);
    return { text: created.bytes, next };
  }

  return async (request, page) => {
    const { path, responseHeaders } = request;
    const { tenantId, storeId } = callerOf(request);
    // Held until the response is compressed.
    using _ = page.isShort ? undefined : await longPages.acquire(tenantId);
    const query = page.query ?? request.query;
    const isCached = page.name !== undefined && query.length <= MAX_CACHED_QUERY;
    const { text, next } = isCached
      ? await findOrCreate(request, page, `${page.name} ${storeId} ${path}?${query}`)
      : await create(request, page);
    if (typeof next === 'string') {
      const nextQuery = new URLSearchParams(query);
      nextQuery.set(page.cursorParameter ?? 'cursor', next);
      responseHeaders.push('link', `<${path}?${nextQuery}>; rel="next"`);
    }
    return await jsonTextResponse(request, text);
  };
}

/** `read` continues after the given row. */
export function readInSlices<R>(
  limit: bigint,
  rowsPerTick: bigint,
  read: (last: R | undefined, limit: bigint) => Promise<readonly R[]>,
): Pick<Page<R>, 'limit' | 'slices' | 'isShort'> {
  async function* slices() {
    let last: R | undefined;
    for (let left = limit + 1n; left > 0n; left -= rowsPerTick) {
      const size = left < rowsPerTick ? left : rowsPerTick;
      const rows = await read(last, size);
      yield rows;
      if (rows.length < size) return;
      last = rows.at(-1);
    }
  }
  return { limit, slices: slices(), isShort: limit * BigInt(SHORT_PAGES_PER_TICK) <= rowsPerTick };
}

type Yield = () => Promise<void>;

async function createPage<R>(page: Page<R>, yieldTick: Yield) {
  const { texts, last } = await serializeRows(page, yieldTick);
  const next = last === undefined ? null : page.cursorAfter(last);
  return { text: `{"data":[${texts.join()}],"nextCursor":${JSON.stringify(next)}}`, next };
}

/** `last` is the last row of the page, if more rows follow. */
async function serializeRows<R>({ slices, write, limit }: Page<R>, yieldTick: Yield) {
  const texts: string[] = [];
  let bytes = 0;
  let last: R | undefined;
  await yieldTick();
  for await (const rows of slices) {
    for (const row of rows) {
      const isFull = texts.length === Number(limit) || bytes > MAX_BYTES;
      if (isFull && last !== undefined) return { texts, last };
      const text = write(row);
      texts.push(text);
      bytes += Buffer.byteLength(text);
      last = row;
    }
    await yieldTick();
  }
  return { texts };
}
