/** Some of a list. Iterating goes on through all pages that follow. */
export interface Page<T> extends AsyncIterable<T> {
  readonly data: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The page that follows; undefined on the last. */
  next(): Promise<Page<T> | undefined>;
}

/** The first page, when awaited; everything, page after page, when iterated. */
export interface Listing<T> extends Promise<Page<T>>, AsyncIterable<T> {}

type ReadPage<T> = (cursor: string | undefined) => Promise<{ data: readonly T[]; nextCursor: string | null }>;

export function listing<T>(read: ReadPage<T>, cursor?: string): Listing<T> {
  const first = readFrom(read, cursor);
  return Object.assign(first, { [Symbol.asyncIterator]: () => walk(first) });
}

async function readFrom<T>(read: ReadPage<T>, cursor: string | undefined): Promise<Page<T>> {
  const { data, nextCursor } = await read(cursor);
  const page: Page<T> = {
    data,
    nextCursor,
    next: async () => (nextCursor === null ? undefined : readFrom(read, nextCursor)),
    [Symbol.asyncIterator]: () => walk(Promise.resolve(page)),
  };
  return page;
}

async function* walk<T>(first: Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  for (let page: Page<T> | undefined = await first; page; page = await page.next()) yield* page.data;
}
