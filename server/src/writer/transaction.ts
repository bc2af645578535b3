import type { Connection } from '../database/engine.ts';
import { lockingQuery, query, valuesOf } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { CLOSED } from './commit-listeners.ts';

export interface TransactionConnection extends Connection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const counters = ['revision', 'next_order_id', 'next_pet_id', 'next_idempotency'] as const;

/** A store's row, locked by the transaction. A verb changes it here, and it is saved when the verb is done. */
export type LockedStore = { readonly id: bigint } & Record<(typeof counters)[number], bigint>;

/** The stores that a transaction has locked, as its commands left them; one that a command closes is no longer among them. */
export type LockedStores = Map<bigint, LockedStore>;

export class Transaction implements Connection {
  readonly #connection: Connection;
  /** Shared by the commands of a group; a command works on copies until it has succeeded. */
  readonly #lockedByGroup: LockedStores;
  readonly #ownCopies: LockedStores = new Map();
  readonly closed: bigint[] = [];
  readonly traceparent: string | null;

  constructor(connection: Connection, lockedByGroup: LockedStores, traceparent: string | null = null) {
    this.#connection = connection;
    this.#lockedByGroup = lockedByGroup;
    this.traceparent = traceparent;
  }

  all: Connection['all'] = (query, params) => this.#connection.all(query, params);

  async lockStore(id: bigint): Promise<LockedStore> {
    const known = this.#ownCopies.get(id);
    if (known) return known;
    const found = this.#lockedByGroup.get(id) ?? (await this.all(lockOpenStore, { id }))[0];
    if (!found) throw new Refusal('not_found');
    this.#lockedByGroup.set(id, found);
    const store = { ...found };
    this.#ownCopies.set(id, store);
    return store;
  }

  async save(reached: Map<bigint, bigint>): Promise<void> {
    const changed = Array.from(this.#ownCopies.values()).filter((store) => {
      const found = this.#lockedByGroup.get(store.id);
      return counters.some((name) => store[name] !== found?.[name]);
    });
    for (const store of changed) {
      this.#lockedByGroup.set(store.id, store);
      reached.set(store.id, store.revision);
    }
    for (const id of this.closed) {
      this.#lockedByGroup.delete(id);
      reached.set(id, CLOSED);
    }
    await Promise.all(changed.map((store) => this.all(saveStore, store)));
  }
}

const lockOpenStore = lockingQuery((db, p: { id: bigint }) =>
  db
    .selectFrom('stores')
    .select(['id', ...counters])
    .where('id', '=', p.id)
    .where('closed_at', 'is', null),
);

const saveStore = query((db, p: LockedStore) =>
  db.updateTable('stores').set(valuesOf(p, counters)).where('id', '=', p.id),
);
