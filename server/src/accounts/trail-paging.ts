import { ApiError } from '../http/errors.ts';
import { ownTurn } from '../http/server/own-turn.ts';
import type { Request } from '../http/server/request.ts';

const DEFAULT_LIMIT = 50;
const MOST = 1_000;
/** Rows that are read and written in well under a millisecond. */
const SHORT_PAGE = 100n;
/** Comes after everything: pages begin with the newest. */
const FROM_THE_START = 2n ** 62n;

/** A page of what is listed newest first: `limit`, and `cursor`, which is where the page before ended. */
export interface PageRequest {
  readonly limit: bigint;
  readonly afterAt: bigint;
  readonly afterId: string;
  readonly more: ReadonlyMap<string, string>;
}

/** Reads the query; `known` are the parameters that it may have besides. */
export function readPage(request: Request, known: readonly string[] = []): PageRequest {
  const searchParams = new URLSearchParams(request.query);
  for (const name of searchParams.keys()) {
    const isKnown = ['limit', 'cursor', ...known].includes(name);
    if (!isKnown || searchParams.getAll(name).length > 1) throw invalid(name.slice(0, 50));
  }
  const limit = searchParams.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MOST) throw invalid('limit');
  const more = new Map(
    known.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name) ?? '']] : [])),
  );
  return { limit: BigInt(limit), ...readCursor(searchParams.get('cursor')), more };
}

/** A longer page takes a turn of its own: however many are asked for at once, others are answered in between. */
export async function turnFor(limit: bigint): Promise<void> {
  if (limit > SHORT_PAGE) await ownTurn();
}

export function invalid(name: string): ApiError {
  return new ApiError('invalid_parameter', `The parameter '${name}' is unknown or malformed.`);
}

function readCursor(cursor: string | null): { afterAt: bigint; afterId: string } {
  if (cursor === null) return { afterAt: FROM_THE_START, afterId: '' };
  const [, at, id] = /^(\d{1,18})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new ApiError('invalid_cursor');
  return { afterAt: BigInt(at), afterId: id };
}

/** Of one row more than the page has, the page, and where the next one begins. */
export function pageOf<R>(found: readonly R[], limit: bigint, place: (row: R) => [bigint, string]) {
  const data = found.slice(0, Number(limit));
  const last = found.length > data.length ? data.at(-1) : undefined;
  return { data, nextCursor: last === undefined ? null : place(last).join('.') };
}
