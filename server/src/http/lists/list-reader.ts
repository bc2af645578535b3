import type { Connection, Database } from '../../database/engine.ts';
import { type Query, query } from '../../database/query.ts';
import { ownTurn } from '../server/own-turn.ts';
import type { ListAtRevision } from './list-at-revision.ts';
import { type ListedRow, type Segment, segmentOf } from './segment.ts';

/** How one kind of list is read from the database and written as JSON. */
export interface ListSource<Row extends { id: bigint; revision: bigint }> {
  /** Rows with ids above `after`, ascending. */
  readonly page: Query<{ storeId: bigint; after: bigint; limit: bigint }, Row>;
  /** Rows changed after `revision`, in the order in which they changed. */
  readonly changedSince: Query<{ storeId: bigint; revision: bigint; limit: bigint }, Row>;
  /** The row's JSON; undefined for a row that the list does not show. */
  readonly write: (row: Row) => string | undefined;
}

const SMALLEST_ID = -(2n ** 63n);
/** A reader that takes longer than this for a list that memory cannot hold must not keep its snapshot. */
const LONGEST_SNAPSHOT_MS = 10 * 60_000;

/** Reads lists of one kind from the database, segment by segment. */
export class ListReader<Row extends { id: bigint; revision: bigint }> {
  readonly #db: Database;
  readonly #source: ListSource<Row>;
  readonly #segmentSize: number;

  constructor(db: Database, source: ListSource<Row>, segmentSize: number) {
    this.#db = db;
    this.#source = source;
    this.#segmentSize = segmentSize;
  }

  /** The list's beginning, and whether that is already all of it. */
  async beginning(storeId: bigint): Promise<{ rows: Row[]; isAll: boolean }> {
    const rows = await this.#page(this.#db, storeId, SMALLEST_ID);
    return { rows, isAll: rows.length < this.#segmentSize };
  }

  async changedSince(storeId: bigint, revision: bigint, limit: bigint): Promise<Row[]> {
    return this.#db.all(this.#source.changedSince, { storeId, revision, limit });
  }

  /** The whole list from one snapshot, which is held until the last segment was taken or the list released. */
  async open(storeId: bigint): Promise<ListAtRevision & { mostRows: bigint; release(): Promise<void> }> {
    const snapshot = await this.#db.snapshot();
    let released: Promise<void> | undefined;
    const release = () => {
      released ??= Promise.resolve(snapshot[Symbol.asyncDispose]());
      return released;
    };
    try {
      const [store] = await snapshot.all(storeCounters, { storeId });
      const { revision = 0n, mostRows = 0n } = store ?? {};
      return {
        revision,
        mostRows,
        length: undefined,
        segments: () => this.#walk(snapshot, storeId, release),
        release,
      };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async *#walk(snapshot: Connection, storeId: bigint, release: () => Promise<void>): AsyncGenerator<Segment> {
    const deadline = Date.now() + LONGEST_SNAPSHOT_MS;
    try {
      for (let after = SMALLEST_ID; ; ) {
        const rows = await this.#page(snapshot, storeId, after);
        yield* this.segments(rows);
        if (rows.length < this.#segmentSize) return;
        if (Date.now() > deadline) throw new Error('the reader of a list was too slow');
        after = (rows.at(-1) as Row).id;
        // Other requests get their turn between two segments.
        await ownTurn();
      }
    } finally {
      await release();
    }
  }

  segments(rows: readonly Row[]): Segment[] {
    const segment = segmentOf(rows.map((row) => this.listed(row)));
    return segment.count > 0 ? [segment] : [];
  }

  listed(row: Row): ListedRow {
    return { id: row.id, text: this.#source.write(row) };
  }

  #page(connection: Connection, storeId: bigint, after: bigint): Promise<Row[]> {
    return connection.all(this.#source.page, { storeId, after, limit: BigInt(this.#segmentSize) });
  }
}

const storeCounters = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select(['revision', 'next_order_id as mostRows']).where('id', '=', p.storeId),
);
