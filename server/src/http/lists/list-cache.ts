import type { Database } from '../../database/engine.ts';
import { GrowingList } from './growing-list.ts';
import type { ListAtRevision } from './list-at-revision.ts';
import { ListReader, type ListSource } from './list-reader.ts';
import { WholeList } from './whole-list.ts';

export interface ListCacheOptions {
  /** Rows in a segment. */
  readonly segmentSize: number;
  /** Bytes that all lists of one kind together may hold. */
  readonly budget: number;
}

interface Entry {
  whole: WholeList | undefined;
  /** The list while it is first being read, and when that will be done. */
  growing: { readonly list: GrowingList; readonly done: Promise<void> } | undefined;
  /** The newest revision any waiting request has seen. */
  wanted: bigint;
  refreshing: Promise<'fits' | 'too large'> | undefined;
}

/** A list with more changes than this is read anew, which is cheaper than patching it. */
const MOST_CHANGES = 5_000n;
/** A list this far behind is read anew, too: every change since is looked through, also if few orders changed. */
const MOST_REVISIONS = 4n * MOST_CHANGES;

/**
 * Lists in memory, already serialised. A request names the revision it has seen of its store; a list that
 * is behind first catches up from the database, reading only what changed.
 */
export class ListCache<Row extends { id: bigint; revision: bigint }> {
  readonly #reader: ListReader<Row>;
  readonly #options: ListCacheOptions;
  /** In order of last use, oldest first. */
  readonly #entries = new Map<bigint, Entry>();
  /** The one used last. */
  #newest: Entry | undefined;
  #bytes = 0;

  constructor(db: Database, source: ListSource<Row>, options: ListCacheOptions) {
    this.#reader = new ListReader(db, source, options.segmentSize);
    this.#options = options;
  }

  /** Bytes of all lists held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The list as it was at `revision` or later. */
  async get(storeId: bigint, revision: bigint): Promise<ListAtRevision> {
    const entry = this.#use(storeId);
    for (;;) {
      if (entry.whole && entry.whole.revision >= revision) return entry.whole;
      if (entry.growing && entry.growing.list.revision >= revision) return entry.growing.list;
      if (revision > entry.wanted) entry.wanted = revision;
      if (entry.growing) await entry.growing.done;
      else if ((await this.#refresh(storeId, entry)) === 'too large') return this.#reader.open(storeId);
    }
  }

  /** The list as it was at `revision` or later, if it is in memory. */
  held(storeId: bigint, revision: bigint): WholeList | undefined {
    const whole = this.#entries.has(storeId) ? this.#use(storeId).whole : undefined;
    return whole && whole.revision >= revision ? whole : undefined;
  }

  /** Lets go of the list of a store that is closed: nobody asks for it again. */
  forget(storeId: bigint): void {
    const entry = this.#entries.get(storeId);
    if (!entry) return;
    this.#bytes -= entry.whole?.length ?? 0;
    this.#forget(storeId, entry);
  }

  #use(storeId: bigint): Entry {
    const entry = this.#entries.get(storeId) ?? {
      whole: undefined,
      growing: undefined,
      wanted: 0n,
      refreshing: undefined,
    };
    if (entry === this.#newest) return entry;
    this.#newest = entry;
    this.#entries.delete(storeId);
    this.#entries.set(storeId, entry);
    return entry;
  }

  /** One refresh at a time for each list; whoever comes meanwhile waits for the same. */
  #refresh(storeId: bigint, entry: Entry): Promise<'fits' | 'too large'> {
    entry.refreshing ??= (
      entry.whole ? this.#catchUp(storeId, entry, entry.whole) : this.#read(storeId, entry)
    ).finally(() => {
      entry.refreshing = undefined;
    });
    return entry.refreshing;
  }

  /**
   * Revisions become visible in their order, so one read that shows revision r shows everything up to r,
   * and everything up to what any request had seen before it.
   */
  async #catchUp(storeId: bigint, entry: Entry, whole: WholeList): Promise<'fits'> {
    const seen = entry.wanted;
    if (seen - whole.revision > MOST_REVISIONS) {
      this.#keep(storeId, entry, undefined);
      return 'fits';
    }
    const rows = await this.#reader.changedSince(storeId, whole.revision, MOST_CHANGES + 1n);
    const isFarBehind = rows.length > MOST_CHANGES;
    const changes = rows.map((row) => this.#reader.listed(row)).sort((a, b) => (a.id < b.id ? -1 : 1));
    const { segmentSize } = this.#options;
    this.#keep(
      storeId,
      entry,
      isFarBehind ? undefined : whole.patched(newestOf(rows, seen), changes, segmentSize),
    );
    return 'fits';
  }

  async #read(storeId: bigint, entry: Entry): Promise<'fits' | 'too large'> {
    const seen = entry.wanted;
    const { rows, isAll } = await this.#reader.beginning(storeId);
    const segments = this.#reader.segments(rows);
    if (isAll) {
      this.#keep(storeId, entry, new WholeList(newestOf(rows, seen), segments));
      return 'fits';
    }
    const whole = await this.#reader.open(storeId);
    const bytesARow = (segments[0]?.bytes.length ?? 0) / rows.length;
    if (bytesARow * Number(whole.mostRows) > this.#options.budget) {
      await whole.release();
      this.#forget(storeId, entry);
      return 'too large';
    }
    const list = new GrowingList(whole.revision);
    entry.growing = { list, done: this.#grow(storeId, entry, list, whole) };
    return 'fits';
  }

  async #grow(storeId: bigint, entry: Entry, growing: GrowingList, whole: ListAtRevision): Promise<void> {
    try {
      for await (const segment of whole.segments()) growing.add(segment);
      this.#keep(storeId, entry, new WholeList(growing.revision, growing.complete()));
    } catch (error) {
      growing.fail(error);
    } finally {
      entry.growing = undefined;
    }
  }

  #keep(storeId: bigint, entry: Entry, whole: WholeList | undefined): void {
    const held = this.#entries.get(storeId) === entry;
    if (held) this.#bytes += (whole?.length ?? 0) - (entry.whole?.length ?? 0);
    entry.whole = whole;
    if (this.#bytes > this.#options.budget) this.#evict(entry);
  }

  #forget(storeId: bigint, entry: Entry): void {
    this.#entries.delete(storeId);
    if (entry === this.#newest) this.#newest = undefined;
  }

  /** Forgets the lists longest unused until the rest fit the budget; the newest always stays. */
  #evict(newest: Entry): void {
    for (const [storeId, entry] of this.#entries) {
      if (this.#bytes <= this.#options.budget) return;
      if (entry === newest || entry.refreshing || !entry.whole) continue;
      this.#bytes -= entry.whole.length;
      this.#forget(storeId, entry);
    }
  }
}

function newestOf(rows: ReadonlyArray<{ revision: bigint }>, seen: bigint): bigint {
  let newest = seen;
  for (const { revision } of rows) if (revision > newest) newest = revision;
  return newest;
}
