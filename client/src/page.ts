import { ConnectionError } from './errors.ts';
import { type ApiResponse, type Result, resultOf } from './result.ts';

/** A page of a list. Iterating continues through all further pages. */
export interface Page<T> extends AsyncIterable<T> {
  readonly data: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The next page; undefined on the last. */
  next(): Promise<Page<T> | undefined>;
}

/** Await it for the first page, or iterate over all items. */
export interface Listing<T> extends Result<Page<T>>, AsyncIterable<T> {}

interface Rows<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

type ReadPage<T> = (cursor: string | undefined) => Promise<ApiResponse<Rows<T>>>;

export function listing<T>(read: ReadPage<T>, cursor?: string): Listing<T> {
  const first = resultOf(readFrom(read, cursor));
  return Object.assign(first, { [Symbol.asyncIterator]: () => walk(first) });
}

async function readFrom<T>(read: ReadPage<T>, cursor: string | undefined): Promise<ApiResponse<Page<T>>> {
  const { body, head } = await requireRows(read(cursor));
  const { data, nextCursor = null } = body;
  const page: Page<T> = {
    data,
    nextCursor,
    next: async () => (nextCursor === null ? undefined : (await readFrom(read, nextCursor)).body),
    [Symbol.asyncIterator]: () => walk(Promise.resolve(page)),
  };
  return { body: page, head };
}

/** Rejects JSON of another shape, such as from another service. */
export async function requireRows<T extends { readonly data: readonly unknown[] }>(
  response: Promise<ApiResponse<T>>,
): Promise<ApiResponse<T>> {
  const { body, head } = await response;
  if (Array.isArray(body?.data)) return { body, head };
  const { status, requestId } = head;
  throw new ConnectionError('The response is not a list.', { code: 'invalid_answer', status, requestId });
}

async function* walk<T>(first: Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  for (let page: Page<T> | undefined = await first; page; page = await page.next()) yield* page.data;
}
