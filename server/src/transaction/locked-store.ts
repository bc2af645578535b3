import { type Kysely, sql } from 'kysely';
import { type EachQuery, eachQuery } from '../database/each-query.ts';
import type { Schema } from '../database/schema.ts';
import type { StoreCounters, Writes } from './group-connection.ts';

/** Those of a store that is not closed: nothing changes a closed one. */
export function openStoreCounters(db: Kysely<Schema>, p: { id: bigint }) {
  return db
    .selectFrom('stores')
    .select(['revision', 'next_order_id', 'next_pet_id', 'next_idempotency'])
    .where('id', '=', p.id)
    .where('closed_at', 'is', null);
}

/** What changes of a group have in common: its rows are gathered, and written by one statement at the end. */
export interface SharedWrite<P> {
  readonly statement: EachQuery<P, never>;
  /** Rows with the same key are merged into one: a statement for many may not meet the same row twice. */
  readonly keyOf: (row: P) => bigint;
  readonly merge: (earlier: P, later: P) => P;
}

/** A store that a group of changes has to itself. What they have in common is written once, at the end. */
export class LockedStore {
  readonly id: bigint;
  readonly #counters: StoreCounters;
  readonly #shared = new Map<SharedWrite<unknown>, Map<bigint, unknown>>();
  #turn: Promise<unknown> = Promise.resolve();
  /** Set by a verb that changed the store: what was handed out to a refused one must not be saved alone. */
  changed = false;

  constructor(id: bigint, counters: StoreCounters) {
    this.id = id;
    this.#counters = counters;
  }

  /** The last one that was handed out. */
  get revision(): bigint {
    return this.#counters.revision;
  }

  nextRevision(): bigint {
    this.#counters.revision += 1n;
    return this.#counters.revision;
  }

  nextOrderId(): bigint {
    return this.#counters.next_order_id++;
  }

  nextPetId(): bigint {
    return this.#counters.next_pet_id++;
  }

  nextIdempotency(): bigint {
    return this.#counters.next_idempotency++;
  }

  /** Ids are counted from 1 and no pet is ever deleted. */
  get pets(): bigint {
    return this.#counters.next_pet_id - 1n;
  }

  /** The same for orders. */
  get orders(): bigint {
    return this.#counters.next_order_id - 1n;
  }

  /** Runs one after the other: nothing else of the group that asks for a turn comes between its statements. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** The last number that was given to a remembered answer. */
  get idempotency(): bigint {
    return this.#counters.next_idempotency - 1n;
  }

  writeAtEnd<P>(write: SharedWrite<P>, row: P): void {
    const rows = this.#rowsOf(write);
    const key = write.keyOf(row);
    const earlier = rows.get(key);
    rows.set(key, earlier === undefined ? row : write.merge(earlier, row));
    this.changed = true;
  }

  #rowsOf<P>(write: SharedWrite<P>): Map<bigint, P> {
    const shared = write as SharedWrite<unknown>;
    const known = this.#shared.get(shared) ?? new Map<bigint, unknown>();
    if (known.size === 0) this.#shared.set(shared, known);
    return known as Map<bigint, P>;
  }

  /** Adds what is to be written of it to what its group writes at the end. */
  addTo(writes: Writes): void {
    if (!this.changed) return;
    add(writes, saveCounters, [{ id: this.id, ...this.#counters }]);
    for (const [{ statement }, rows] of this.#shared) add(writes, statement, rows.values());
  }
}

function add(writes: Writes, statement: EachQuery<never, never>, rows: Iterable<unknown>): void {
  const known = writes.get(statement) ?? [];
  if (known.length === 0) writes.set(statement, known);
  for (const row of rows) known.push(row);
}

const saveCounters = eachQuery<{ [K in keyof StoreCounters | 'id']: bigint }>(
  {
    id: 'bigint',
    revision: 'bigint',
    next_order_id: 'bigint',
    next_pet_id: 'bigint',
    next_idempotency: 'bigint',
  },
  ({ id, revision, next_order_id, next_pet_id, next_idempotency }, { from }) => sql`
    UPDATE stores SET revision = ${revision}, next_order_id = ${next_order_id}, next_pet_id = ${next_pet_id},
      next_idempotency = ${next_idempotency} ${from}
    WHERE stores.id = ${id}`,
);
