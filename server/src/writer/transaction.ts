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

/** A store's row, locked by the transaction. A verb changes it here, and it is saved with the group. */
export type LockedStore = { readonly id: bigint } & Record<(typeof counters)[number], bigint>;

/** The stores of a group of commands, as those that succeeded left them. */
export class GroupStores {
  /** Without those that a command closed: the next command looks for them in the table, and finds none. */
  readonly locked = new Map<bigint, LockedStore>();
  readonly unsaved = new Map<bigint, LockedStore>();
  readonly reached = new Map<bigint, bigint>();

  async save(connection: Connection): Promise<void> {
    for (const store of this.unsaved.values()) await connection.all(saveStore, store);
  }
}

export class Transaction implements Connection {
  readonly #connection: Connection;
  readonly #group: GroupStores;
  readonly #copies = new Map<bigint, LockedStore>();
  readonly closed: bigint[] = [];
  readonly traceparent: string | null;

  constructor(connection: Connection, group: GroupStores, traceparent: string | null = null) {
    this.#connection = connection;
    this.#group = group;
    this.traceparent = traceparent;
  }

  all: Connection['all'] = (query, params) => this.#connection.all(query, params);

  /** A command works on a copy, which it leaves to the group when it has succeeded. */
  async lockStore(id: bigint): Promise<LockedStore> {
    const known = this.#copies.get(id);
    if (known) return known;
    const found = this.#group.locked.get(id) ?? (await this.all(lockOpenStore, { id }))[0];
    if (!found) throw new Refusal('not_found');
    this.#group.locked.set(id, found);
    const store = { ...found };
    this.#copies.set(id, store);
    return store;
  }

  succeed(): void {
    const { locked, unsaved, reached } = this.#group;
    for (const [id, store] of this.#copies) {
      const before = locked.get(id);
      if (counters.every((name) => store[name] === before?.[name])) continue;
      locked.set(id, store);
      unsaved.set(id, store);
      reached.set(id, store.revision);
    }
    for (const id of this.closed) {
      locked.delete(id);
      reached.set(id, CLOSED);
    }
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
