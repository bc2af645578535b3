import type { Database } from '../database/engine.ts';
import { type Query, query } from '../database/query.ts';
import { Edition } from './edition.ts';
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

export interface ListCacheOptions {
  /** Rows in a segment. */
  readonly segmentSize: number;
  /** Bytes that all lists together may hold. */
  readonly budget: number;
}

interface Entry {
  edition: Edition | undefined;
  /** The newest revision any waiting request has seen. */
  wanted: bigint;
  refreshing: Promise<void> | undefined;
}

/** Further behind than this, reading the list anew is cheaper than patching it. */
const MOST_CHANGES = 5_000n;
const SMALLEST_ID = -(2n ** 63n);

/**
 * Lists in memory, already serialised. A request names the revision it has seen of its store; a list that
 * is behind first catches up from the database, reading only what changed.
 */
export class ListCache<Row extends { id: bigint; revision: bigint }> {
  readonly #db: Database;
  readonly #source: ListSource<Row>;
  readonly #options: ListCacheOptions;
  /** In order of last use, oldest first. */
  readonly #entries = new Map<bigint, Entry>();

  constructor(db: Database, source: ListSource<Row>, options: ListCacheOptions) {
    this.#db = db;
    this.#source = source;
    this.#options = options;
  }

  get bytes(): number {
    let sum = 0;
    for (const { edition } of this.#entries.values()) sum += edition?.length ?? 0;
    return sum;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** The list as it was at `revision` or later. */
  async get(storeId: bigint, revision: bigint): Promise<Edition> {
    const entry = this.#use(storeId);
    for (;;) {
      if (entry.edition && entry.edition.revision >= revision) return entry.edition;
      if (revision > entry.wanted) entry.wanted = revision;
      entry.refreshing ??= this.#refresh(storeId, entry).finally(() => {
        entry.refreshing = undefined;
      });
      await entry.refreshing;
    }
  }

  #use(storeId: bigint): Entry {
    const entry = this.#entries.get(storeId) ?? { edition: undefined, wanted: 0n, refreshing: undefined };
    this.#entries.delete(storeId);
    this.#entries.set(storeId, entry);
    return entry;
  }

  async #refresh(storeId: bigint, entry: Entry): Promise<void> {
    const seen = entry.wanted;
    entry.edition =
      (entry.edition && (await this.#catchUp(storeId, entry.edition, seen))) ??
      (await this.#read(storeId, seen));
    this.#evict();
  }

  /**
   * Revisions become visible in their order, so one read that shows revision r shows everything up to r,
   * and everything up to what any request had seen before it.
   */
  async #catchUp(storeId: bigint, edition: Edition, seen: bigint): Promise<Edition | undefined> {
    const rows = await this.#db.all(this.#source.changedSince, {
      storeId,
      revision: edition.revision,
      limit: MOST_CHANGES + 1n,
    });
    if (rows.length > MOST_CHANGES) return undefined;
    const newest = newestOf(rows, seen);
    const changes = rows.map((row) => this.#listed(row)).sort((a, b) => (a.id < b.id ? -1 : 1));
    return edition.patched(newest, changes, this.#options.segmentSize);
  }

  async #read(storeId: bigint, seen: bigint): Promise<Edition> {
    const limit = BigInt(this.#options.segmentSize);
    const first = await this.#db.all(this.#source.page, { storeId, after: SMALLEST_ID, limit });
    if (first.length < limit) {
      const newest = newestOf(first, seen);
      return new Edition(newest, this.#segments(first));
    }
    await using snapshot = await this.#db.snapshot();
    const [store] = await snapshot.all(storeRevision, { storeId });
    const segments: Segment[] = [];
    let rows = await snapshot.all(this.#source.page, { storeId, after: SMALLEST_ID, limit });
    while (rows.length > 0) {
      segments.push(...this.#segments(rows));
      // Other requests get their turn between two segments.
      await new Promise(setImmediate);
      rows = await snapshot.all(this.#source.page, { storeId, after: (rows.at(-1) as Row).id, limit });
    }
    return new Edition(store?.revision ?? seen, segments);
  }

  #segments(rows: Row[]): Segment[] {
    const segment = segmentOf(rows.map((row) => this.#listed(row)));
    return segment.ids.length > 0 ? [segment] : [];
  }

  #listed(row: Row): ListedRow {
    return { id: row.id, text: this.#source.write(row) };
  }

  /** Forgets the lists longest unused until the rest fit the budget; the newest always stays. */
  #evict(): void {
    let excess = this.bytes - this.#options.budget;
    for (const [storeId, entry] of this.#entries) {
      if (excess <= 0 || this.#entries.size === 1) return;
      if (entry.refreshing || !entry.edition) continue;
      excess -= entry.edition.length;
      this.#entries.delete(storeId);
    }
  }
}

function newestOf(rows: ReadonlyArray<{ revision: bigint }>, seen: bigint): bigint {
  let newest = seen;
  for (const { revision } of rows) if (revision > newest) newest = revision;
  return newest;
}

const storeRevision = query((db, p: { storeId: bigint }) =>
  db.selectFrom('stores').select('revision').where('id', '=', p.storeId),
);
