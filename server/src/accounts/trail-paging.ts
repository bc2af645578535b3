import { ApiError } from '../http/errors.ts';
import type { QueryOf } from '../http/fields/parameters.ts';
import { DEFAULT_LIMIT, type paging } from '../http/pages/paging.ts';
import { type Answer, jsonAnswer } from '../http/server/request.ts';
import type { RowsAfter } from '../stores/account-events.ts';

const FROM_THE_START = 2n ** 62n;

interface Trail<Row> {
  read(rows: RowsAfter): Promise<readonly Row[]>;
  place(row: Row): [at: bigint, id: string];
  show(row: Row): object;
}

export async function answerTrail<Row>(
  { limit = BigInt(DEFAULT_LIMIT), cursor }: QueryOf<typeof paging>,
  { read, place, show }: Trail<Row>,
): Promise<Answer> {
  const after = readCursor(cursor);
  const found = await read({ ...after, limit: limit + 1n });
  const page = found.slice(0, Number(limit));
  const last = found.length > page.length ? page.at(-1) : undefined;
  const nextCursor = last === undefined ? null : place(last).join('.');
  return jsonAnswer({ data: page.map(show), nextCursor });
}

function readCursor(cursor: string | undefined): Omit<RowsAfter, 'limit'> {
  if (cursor === undefined) return { afterAt: FROM_THE_START, afterId: '' };
  const [, at, id] = /^(\d{1,18})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new ApiError('invalid_cursor');
  return { afterAt: BigInt(at), afterId: id };
}
