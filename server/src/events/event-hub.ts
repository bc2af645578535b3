import type { Connection } from '../database/engine.ts';
import { CLOSED } from '../writer/commit-listeners.ts';
import type { Writer } from '../writer/writer.ts';
import { type EventRow, eventsAfter, readEvents, revisionsOf } from './read-events.ts';

/** Events read from the log at a time. */
const BATCH = 200n;
/** Events of a store that are kept for its streams. */
const MOST_KEPT = 500;

/** An event as streams send it. */
interface Written {
  readonly revision: bigint;
  readonly text: string;
}

export interface Watcher {
  /** There may be something to read. */
  onMore(): void;
  /** The store was closed, or its keys may open another one by now. */
  onMoved(): void;
}

/** The newest events of a store that somebody watches: those after `from`, up to `upTo`. */
interface Tail {
  from: bigint;
  upTo: bigint;
  /** The newest revision that was heard of. */
  wanted: bigint;
  events: Written[];
  isReading: boolean;
  readonly watchers: Set<Watcher>;
}

export interface HubOptions {
  readonly db: Connection;
  readonly writer: Writer;
  readonly write: (event: EventRow) => string;
  /** Between two looks at how far stores have come, for commits that nobody told of, in milliseconds. */
  readonly poll: number;
}

/**
 * Reads what happens to the stores that are watched, once for all who watch. A commit only wakes it up, here or on
 * another replica: what happened is what the log says.
 */
export class EventHub {
  readonly #options: HubOptions;
  readonly #tails = new Map<bigint, Tail>();
  #poll: NodeJS.Timeout | undefined;
  #ignoreCommits: (() => void) | undefined;
  #closed = false;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** How many watch. */
  get watchers(): number {
    return this.#tails.values().reduce((sum, { watchers }) => sum + watchers.size, 0);
  }

  /** Begins to watch a store that has come at least this far. Returns how to stop. */
  watch(storeId: bigint, revision: bigint, watcher: Watcher): () => void {
    this.#ignoreCommits ??= this.#options.writer.onCommit(({ storeId, revision }) =>
      revision === CLOSED ? this.#move(storeId) : this.#wake(storeId, revision),
    );
    this.#poll ??= setTimeout(() => this.#askAll(), this.#options.poll).unref();
    const tail = this.#tails.get(storeId) ?? {
      from: revision,
      upTo: revision,
      wanted: revision,
      events: [],
      isReading: false,
      watchers: new Set(),
    };
    this.#tails.set(storeId, tail);
    tail.watchers.add(watcher);
    this.#wake(storeId, revision);
    return () => {
      tail.watchers.delete(watcher);
      if (tail.watchers.size === 0 && this.#tails.get(storeId) === tail) this.#tails.delete(storeId);
    };
  }

  /** Some of what happened after a revision, and up to which revision that is all; refused if it is no longer kept. */
  async read(storeId: bigint, after: bigint): Promise<{ events: readonly Written[]; upTo: bigint }> {
    const tail = this.#tails.get(storeId);
    if (tail && after >= tail.from) {
      const first = tail.events.findIndex(({ revision }) => revision > after);
      return { events: first === -1 ? [] : tail.events.slice(first), upTo: tail.upTo };
    }
    const atLeast = tail?.upTo ?? after;
    const rows = await readEvents(this.#options.db, { storeId, after, limit: BATCH });
    const { events, isAll } = this.#written(rows);
    const last = events.at(-1)?.revision ?? after;
    return { events, upTo: isAll && atLeast > last ? atLeast : last };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#poll);
    this.#ignoreCommits?.();
  }

  #written(rows: readonly EventRow[]): { events: Written[]; isAll: boolean } {
    const { write } = this.#options;
    const events = rows.map((row) => {
      const text = `id: ${row.revision}\nevent: ${row.type}\ndata: ${write(row)}\n\n`;
      return { revision: row.revision, text };
    });
    return { events, isAll: BigInt(rows.length) < BATCH };
  }

  #wake(storeId: bigint, revision: bigint): void {
    const tail = this.#tails.get(storeId);
    if (!tail || revision <= tail.wanted) return;
    tail.wanted = revision;
    if (!tail.isReading) void this.#readOn(storeId, tail);
  }

  #move(storeId: bigint): void {
    for (const watcher of this.#tails.get(storeId)?.watchers ?? []) watcher.onMoved();
  }

  async #readOn(storeId: bigint, tail: Tail): Promise<void> {
    tail.isReading = true;
    try {
      while (tail.upTo < tail.wanted && tail.watchers.size > 0 && !this.#closed) {
        // Read after it was heard of, the log has everything up to there.
        const { wanted } = tail;
        const rows = await this.#options.db.all(eventsAfter, { storeId, after: tail.upTo, limit: BATCH });
        const { events, isAll } = this.#written(rows);
        const last = events.at(-1)?.revision ?? tail.upTo;
        tail.upTo = isAll && wanted > last ? wanted : last;
        keep(tail, events);
        for (const watcher of tail.watchers) events.length > 0 ? watcher.onMore() : watcher.onMoved();
      }
    } catch {
      // The poll comes back to it.
      tail.wanted = tail.upTo;
    }
    tail.isReading = false;
  }

  async #askAll(): Promise<void> {
    try {
      await this.#ask([...this.#tails]);
    } catch {
      // What cannot be asked now is asked the next time.
    }
    if (!this.#closed) this.#poll = setTimeout(() => this.#askAll(), this.#options.poll).unref();
  }

  async #ask(tails: ReadonlyArray<[bigint, Tail]>): Promise<void> {
    if (tails.length === 0) return;
    const rows = await this.#options.db.all(revisionsOf, { ids: tails.map(([id]) => id).join() });
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
    for (const [id] of tails) {
      const revision = revisions.get(id);
      if (revision !== undefined) this.#wake(id, revision);
      else this.#move(id);
    }
  }
}

function keep(tail: Tail, events: readonly Written[]): void {
  tail.events.push(...events);
  const dropped = tail.events.splice(0, Math.max(0, tail.events.length - MOST_KEPT));
  tail.from = dropped.at(-1)?.revision ?? tail.from;
}
