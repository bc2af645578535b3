import { jsonTextAnswer } from '../content/json-answer.ts';
import type { Answer } from '../server/answer.ts';
import type { Request } from '../server/request.ts';
import { writePage } from './write.ts';

interface PageOf<R> {
  readonly write: (row: R) => string;
  /** The cursor of the page that begins behind this row. */
  readonly cursorAfter: (row: R) => string;
  /** The parameter that the cursor is passed as, if not `cursor`. */
  readonly parameter?: string;
}

/** A page of so many rows. One more was read, if there is one: it tells that there is a next page. */
export function pageAnswer<R>(
  request: Request,
  found: readonly R[],
  limit: bigint,
  { write, cursorAfter, parameter = 'cursor' }: PageOf<R>,
): Answer | Promise<Answer> {
  const page = found.slice(0, Number(limit));
  const last = found.length > page.length ? page.at(-1) : undefined;
  const next = last ? cursorAfter(last) : null;
  if (next !== null) request.answerHeaders.push('link', nextLink(request, parameter, next));
  return jsonTextAnswer(request, writePage(page.map(write), next));
}

/** What a page of long rows comes to, beyond which it ends, and how many of them are read in one turn. */
const MOST_CHARACTERS = 1_000_000;
const ROWS_IN_A_TURN = 50n;

interface LongRows<R> {
  /** The next rows after the last one that was read. */
  readonly read: (last: R | undefined, count: bigint) => Promise<readonly R[]>;
  readonly sizeOf: (row: R) => number;
}

/** Rows of a page that ends early where they are long, with one more, as `pageAnswer` wants them. */
export async function readLongRows<R>(
  limit: bigint,
  { read, sizeOf }: LongRows<R>,
): Promise<{ rows: R[]; limit: bigint }> {
  const rows: R[] = [];
  for (let size = 0; ; await new Promise(setImmediate)) {
    const left = limit + 1n - BigInt(rows.length);
    const wanted = left < ROWS_IN_A_TURN ? left : ROWS_IN_A_TURN;
    const some = await read(rows.at(-1), wanted);
    rows.push(...some);
    if (BigInt(some.length) < wanted || BigInt(rows.length) > limit) return { rows, limit };
    size += some.reduce((sum, row) => sum + sizeOf(row), 0);
    if (size > MOST_CHARACTERS) return { rows, limit: BigInt(rows.length - 1) };
  }
}

/** The next page, by everything that this one was asked for. */
function nextLink(request: Request, parameter: string, cursor: string): string {
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set(parameter, cursor);
  return `<${pathname}?${searchParams}>; rel="next"`;
}
