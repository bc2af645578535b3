import type { Connection, Database } from '../../database/engine.ts';
import type { Query } from '../../database/query.ts';
import type { Pet } from '../../pets/pet.ts';
import { petListPage } from '../../pets/pet-list.ts';
import {
  type CountedChange,
  changedSince,
  countedOrders,
  ordersMoved,
  storeRevision,
} from '../../stores/summary-queries.ts';
import { ownTurn } from '../server/own-turn.ts';
import { StoreSummary } from './store-summary.ts';

/** A summary as it is sent. */
export interface WrittenSummary {
  readonly revision: bigint;
  readonly text: string;
}

interface Entry {
  /** As of the revision it was written at. Nobody else sees it: it changes. */
  summary: StoreSummary | undefined;
  written: WrittenSummary | undefined;
  /** The newest revision any waiting request has seen. */
  wanted: bigint;
  refreshing: Promise<void> | undefined;
  bytes: number;
}

/** What even an empty one takes. */
const LEAST_BYTES = 1_000;

/** Rows that are read and counted in about a millisecond. */
const SLICE = 1_000n;
const SMALLEST_ID = -(2n ** 63n);

/**
 * Summaries of stores in memory. A request names the revision it has seen of its store; a summary that is behind first
 * catches up from the log of changes. The least recently used are forgotten where all of them take too many bytes.
 */
export class SummaryCache {
  readonly #db: Database;
  readonly #write: (summary: StoreSummary, revision: bigint) => string;
  readonly #budget: number;
  /** In order of last use, oldest first. */
  readonly #entries = new Map<bigint, Entry>();
  #bytes = 0;

  constructor(db: Database, write: (summary: StoreSummary, revision: bigint) => string, budget: number) {
    this.#db = db;
    this.#write = write;
    this.#budget = budget;
  }

  /** Bytes of all summaries held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The summary as of `revision` or later. */
  async get(storeId: bigint, revision: bigint): Promise<WrittenSummary> {
    const entry = this.#use(storeId);
    for (;;) {
      if (entry.written && entry.written.revision >= revision) return entry.written;
      if (revision > entry.wanted) entry.wanted = revision;
      // One refresh at a time; whoever comes meanwhile waits for the same.
      entry.refreshing ??= this.#refresh(storeId, entry).finally(() => {
        entry.refreshing = undefined;
      });
      await entry.refreshing;
    }
  }

  #use(storeId: bigint): Entry {
    const known = this.#entries.get(storeId);
    const entry = known ?? {
      summary: undefined,
      written: undefined,
      wanted: 0n,
      refreshing: undefined,
      bytes: LEAST_BYTES,
    };
    if (!known) this.#bytes += entry.bytes;
    this.#entries.delete(storeId);
    this.#entries.set(storeId, entry);
    return entry;
  }

  async #refresh(storeId: bigint, entry: Entry): Promise<void> {
    const { summary, written, wanted } = entry;
    // Of what fails half-way, nothing is kept.
    entry.summary = undefined;
    entry.written = undefined;
    const isNear = summary && written && wanted - written.revision <= mostChanges(summary);
    const next = isNear ? summary : new StoreSummary();
    const revision = isNear
      ? await this.#catchUp(storeId, next, written.revision, wanted)
      : await this.#read(storeId, next, wanted);
    if (next.stock.size > Number(SLICE)) await ownTurn();
    entry.written = { revision, text: this.#write(next, revision) };
    entry.summary = next;
    this.#weigh(storeId, entry, LEAST_BYTES + next.bytes + entry.written.text.length);
  }

  /** Reads what changed: in slices where it is much, and at last everything of one moment. */
  async #catchUp(storeId: bigint, summary: StoreSummary, from: bigint, wanted: bigint): Promise<bigint> {
    let after = from;
    for (; wanted - after > SLICE; after += SLICE) {
      const moved = await this.#db.all(ordersMoved, { storeId, after, upTo: after + SLICE });
      for (const change of moved) summary.move(change);
      await ownTurn();
    }
    let revision = wanted;
    for (const change of await this.#db.all(changedSince, { storeId, after, stockAfter: from })) {
      if (change.what === 'store') revision = change.revision;
      else if (change.what === 'pet') summary.setStock(change as Pet);
      else summary.move(change as CountedChange);
    }
    return revision;
  }

  /** Reads all of it from one snapshot; other requests get their turn between two slices. */
  async #read(storeId: bigint, summary: StoreSummary, wanted: bigint): Promise<bigint> {
    await using snapshot = await this.#db.snapshot();
    const [store] = await snapshot.all(storeRevision, { storeId });
    for await (const orders of slices(snapshot, countedOrders, storeId))
      for (const order of orders) summary.add(order);
    for await (const pets of slices(snapshot, petListPage, storeId))
      for (const pet of pets) summary.setStock(pet);
    return store?.revision ?? wanted;
  }

  /** Forgets the summaries longest unused until the rest fit the budget; this one stays. */
  #weigh(storeId: bigint, weighed: Entry, bytes: number): void {
    if (this.#entries.get(storeId) === weighed) this.#bytes += bytes - weighed.bytes;
    weighed.bytes = bytes;
    for (const [otherId, entry] of this.#entries) {
      if (this.#bytes <= this.#budget) return;
      if (entry === weighed || entry.refreshing) continue;
      this.#bytes -= entry.bytes;
      this.#entries.delete(otherId);
    }
  }
}

/** With more changes than this, a summary is read anew, which is cheaper. */
function mostChanges({ orders }: StoreSummary): bigint {
  return BigInt(Math.max(5_000, orders.pending + orders.shipped + orders.delivered + orders.cancelled));
}

async function* slices<Row extends { id: bigint }>(
  snapshot: Connection,
  page: Query<{ storeId: bigint; after: bigint; limit: bigint }, Row>,
  storeId: bigint,
): AsyncGenerator<Row[]> {
  for (let after = SMALLEST_ID; ; ) {
    const rows = await snapshot.all(page, { storeId, after, limit: SLICE });
    yield rows;
    if (rows.length < SLICE) return;
    after = (rows.at(-1) as Row).id;
    await ownTurn();
  }
}
