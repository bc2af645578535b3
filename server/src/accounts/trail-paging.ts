import { ApiError } from '../http/errors.ts';
import type { QueryOf } from '../http/fields/parameters.ts';
import { DEFAULT_LIMIT, type paging } from '../http/pages/paging.ts';
import { yieldTurn } from '../http/server/yield-turn.ts';

const SHORT_PAGE = 100n;
const FROM_THE_START = 2n ** 62n;

/** Reads which page is asked for; of its rows, one more is read than it has. A long page waits for a turn of its own. */
export async function pageFrom({ limit = BigInt(DEFAULT_LIMIT), cursor }: QueryOf<typeof paging>) {
  const rows = { ...readCursor(cursor), limit: limit + 1n };
  if (limit > SHORT_PAGE) await yieldTurn();
  return { limit, rows };
}

/** A cursor is the moment and the id of the row that the page before ended with: the newest come first. */
function readCursor(cursor: string | undefined): { afterAt: bigint; afterId: string } {
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
