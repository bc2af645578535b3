import type { Connection } from '../database/engine.ts';
import { type Query, query } from '../database/query.ts';
import { yieldTurn } from '../http/server/yield-turn.ts';

/** One kind of list, by ascending id, in slices. */
export interface ListSource {
  readonly name: 'orders' | 'pets';
  /** Whether there are more rows than so many, shown or not. */
  hasMore(connection: Connection, storeId: bigint, rows: bigint): Promise<boolean>;
  /** The rows behind the id `after`, so many at the most. */
  read(connection: Connection, storeId: bigint, after: bigint, limit: number): Promise<ListSlice>;
}

interface ListSlice {
  /** The rows that the list shows, as JSON with commas between them. */
  readonly text: string;
  /** The id of the last row; undefined if none can follow. */
  readonly last: bigint | undefined;
  /** The revision of the row that changed last. */
  readonly newest: bigint;
}

export const SMALLEST_ID = -(2n ** 63n);

/** `write` gives undefined for a row that the list does not show. */
export function listSource<Row extends { id: bigint; revision: bigint }>(
  name: 'orders' | 'pets',
  page: Query<{ storeId: bigint; after: bigint; limit: bigint }, Row>,
  write: (row: Row) => string | undefined,
): ListSource {
  const rowAt = query((db, p: { storeId: bigint; offset: bigint }) =>
    db
      .selectFrom(name)
      .select('id')
      .where('store_id', '=', p.storeId)
      .orderBy('id')
      .limit(1)
      .offset(p.offset),
  );
  return {
    name,
    async hasMore(connection, storeId, rows) {
      return (await connection.all(rowAt, { storeId, offset: rows })).length > 0;
    },
    async read(connection, storeId, after, limit) {
      const rows = await connection.all(page, { storeId, after, limit: BigInt(limit) });
      let newest = 0n;
      for (const { revision } of rows) if (revision > newest) newest = revision;
      const texts = rows.map(write).filter((text) => text !== undefined);
      return { text: texts.join(), last: rows.length < limit ? undefined : rows.at(-1)?.id, newest };
    },
  };
}

/** The JSON of a whole list in pieces, each of so many rows that are read and written in a turn of its own. */
export async function* listPieces(
  connection: Connection,
  source: ListSource,
  storeId: bigint,
  limit: number,
): AsyncGenerator<string> {
  let separator = '[';
  for (let after: bigint | undefined = SMALLEST_ID; after !== undefined; ) {
    const { text, last } = await source.read(connection, storeId, after, limit);
    if (text !== '') {
      yield separator + text;
      separator = ',';
    }
    after = last;
    if (after !== undefined) await yieldTurn();
  }
  yield separator === '[' ? '[]' : ']';
}

/** The revision of a store that a snapshot shows. */
export async function storeRevision(snapshot: Connection, storeId: bigint): Promise<bigint> {
  const [store] = await snapshot.all(revisionById, { storeId });
  return store?.revision ?? 0n;
}

const revisionById = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('revision').where('id', '=', p.storeId),
);
