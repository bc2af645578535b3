import { ApiError } from '../http/errors.ts';
import type { QueryOf } from '../http/fields/parameters.ts';
import { DEFAULT_LIMIT, type paging } from '../http/pages/paging.ts';
import { yieldTurn } from '../http/server/yield-turn.ts';

const SHORT_PAGE = 100n;
const FROM_THE_START = 2n ** 62n;

/** A page of what is listed newest first. Its cursor is the moment and the id of the row that the page before ended with. */
export interface PageRequest {
  readonly limit: bigint;
  readonly afterAt: bigint;
  readonly afterId: string;
}

/** A long page waits for a turn of its own: however many are asked for at once, others are answered in between. */
export async function pageFrom(query: QueryOf<typeof paging>): Promise<PageRequest> {
  const { limit = BigInt(DEFAULT_LIMIT), cursor } = query;
  const page = { limit, ...readCursor(cursor) };
  if (limit > SHORT_PAGE) await yieldTurn();
  return page;
}

function readCursor(cursor: string | undefined): Omit<PageRequest, 'limit'> {
  if (cursor === undefined) return { afterAt: FROM_THE_START, afterId: '' };
  const [, at, id] = /^(\d{1,18})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new ApiError('invalid_cursor');
  return { afterAt: BigInt(at), afterId: id };
}

export function pageOf<R>(found: readonly R[], limit: bigint, place: (row: R) => [bigint, string]) {
  const data = found.slice(0, Number(limit));
  const last = found.length > data.length ? data.at(-1) : undefined;
  return { data, nextCursor: last === undefined ? null : place(last).join('.') };
}
