import type { Connection } from '../database/engine.ts';
import { locked, query, valuesOf } from '../database/query.ts';
import { Refusal } from '../refusal.ts';

/** A connection on which transactions run, one at a time. */
export interface TransactionConnection extends Connection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** A store's row, which no other transaction changes meanwhile. What a verb sets here is saved when it is done. */
export interface LockedStore {
  readonly id: bigint;
  revision: bigint;
  next_order_id: bigint;
  next_pet_id: bigint;
  next_idempotency: bigint;
}

/** Gives a verb, for one command, queries and stores that it has to itself. */
export class Transaction implements Connection {
  readonly #connection: Connection;
  readonly #stores = new Map<bigint, { store: LockedStore; found: LockedStore }>();
  /** Stores that the command closes. */
  readonly closed: bigint[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  all: Connection['all'] = (query, params) => this.#connection.all(query, params);

  /** Refused if there is no such store, or it is closed. */
  async lockStore(id: bigint): Promise<LockedStore> {
    const known = this.#stores.get(id);
    if (known) return known.store;
    const [found] = await this.all(lockOpenStore, { id });
    if (!found) throw new Refusal('not_found');
    const store = { ...found };
    this.#stores.set(id, { store, found });
    return store;
  }

  /** Saves the stores that the command changed, and says which they are. */
  async saveStores(): Promise<LockedStore[]> {
    const changed = Array.from(this.#stores.values())
      .filter(({ store, found }) => counters.some((name) => store[name] !== found[name]))
      .map(({ store }) => store);
    for (const store of changed) await this.all(saveStore, store);
    return changed;
  }
}

const counters = ['revision', 'next_order_id', 'next_pet_id', 'next_idempotency'] as const;

const lockOpenStore = query((db, p: { id: bigint }, engine) =>
  locked(
    engine,
    db
      .selectFrom('stores')
      .select(['id', ...counters])
      .where('id', '=', p.id)
      .where('closed_at', 'is', null),
  ),
);

const saveStore = query((db, p: { [K in keyof LockedStore]: bigint }) =>
  db.updateTable('stores').set(valuesOf(p, counters)).where('id', '=', p.id),
);
