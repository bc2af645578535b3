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

/** The next page, by everything that this one was asked for. */
function nextLink(request: Request, parameter: string, cursor: string): string {
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set(parameter, cursor);
  return `<${pathname}?${searchParams}>; rel="next"`;
}
