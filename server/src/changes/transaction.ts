import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';

/** A connection on which a group of changes can run as one transaction. */
export interface GroupConnection extends Connection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Reads a store's counters and keeps every other writer away from them until the transaction ends. */
  lockStore(id: bigint): Promise<StoreCounters | undefined>;
}

export interface StoreCounters {
  revision: bigint;
  next_order_id: bigint;
  next_pet_id: bigint;
}

/** The counters of one locked store. Handing one out is free; they are written back once, at the end. */
export class LockedStore {
  readonly id: bigint;
  readonly #counters: StoreCounters;
  /** Set by a verb that changed the store: what was handed out to a refused one must not be saved alone. */
  changed = false;

  constructor(id: bigint, counters: StoreCounters) {
    this.id = id;
    this.#counters = counters;
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

  async save(connection: Connection): Promise<void> {
    if (this.changed) await connection.all(saveCounters, { id: this.id, ...this.#counters });
  }
}

const saveCounters = query((db, p: StoreCounters & { id: bigint }) =>
  db
    .updateTable('stores')
    .set({ revision: p.revision, next_order_id: p.next_order_id, next_pet_id: p.next_pet_id })
    .where('id', '=', p.id),
);

/** What a verb works with: queries, and the locked stores of its group. */
export class Transaction implements Connection {
  readonly #connection: Connection;
  readonly #stores: ReadonlyMap<bigint, LockedStore>;

  constructor(connection: Connection, stores: ReadonlyMap<bigint, LockedStore>) {
    this.#connection = connection;
    this.#stores = stores;
  }

  all: Connection['all'] = (query, params) => this.#connection.all(query, params);

  store(id: bigint): LockedStore {
    const store = this.#stores.get(id);
    if (!store) throw new Refusal('not_found');
    return store;
  }
}
