import { Unavailable } from '../database/engine.ts';
import { type Connection, pick, type Query, query } from '../database/query.ts';
import { lockRows, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';

/** One kind of change. It must throw any domain error before its first write, because other commands may share its transaction. */
export interface Verb<Args, Result> {
  readonly name: string;
  readonly run: (tx: Transaction, args: Args) => Promise<Result>;
}

/** All loaded verbs by name: commands are sent to the writer thread by name. */
export const verbs = new Map<string, Verb<never, unknown>>();

export function verb<Args extends object, Result>(
  name: string,
  run: (tx: Transaction, args: Args) => Promise<Result>,
): Verb<Args, Result> {
  const created = { name, run };
  verbs.set(name, created);
  return created;
}

export interface Command {
  readonly verb: Verb<never, unknown>;
  readonly args: object;
  readonly traceparent?: string | undefined;
}

export function storeIdOf(args: object): bigint | undefined {
  return 'storeId' in args ? (args.storeId as bigint) : undefined;
}

export interface TransactionConnection extends Connection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** False once COMMIT or ROLLBACK was sent, or if the database has ended the transaction. */
  readonly isInTransaction: boolean;
}

const counters = ['revision', 'next_order_id', 'next_pet_id', 'next_idempotency'] as const;

/** A store's row, locked by the transaction. Verbs change this object; it is saved with the group. */
export type LockedStore = { readonly id: bigint } & Record<(typeof counters)[number], bigint>;

/** New revisions by store id. */
export type NewRevisions = ReadonlyMap<bigint, bigint>;

/** In place of a revision: the store was closed. */
export const CLOSED = 0n;

/** Shared by the commands of a group. */
export class Transaction implements Connection {
  readonly #connection: Connection & Pick<TransactionConnection, 'isInTransaction'>;
  readonly #stores = new Map<bigint, { readonly found: LockedStore; readonly store: LockedStore }>();
  readonly closed: bigint[] = [];
  /** Whether a webhook has become due. */
  hasDueWebhooks = false;
  /** Trace context of the current command. */
  traceparent: string | null = null;

  constructor(connection: Connection & Pick<TransactionConnection, 'isInTransaction'>) {
    this.#connection = connection;
  }

  /** Rejects statements once the transaction has ended: if one of two concurrent statements fails, the other must not run outside it. */
  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    if (!this.#connection.isInTransaction) throw new Unavailable('the transaction has ended');
    return this.#connection.all(query, params);
  }

  async lockStore(id: bigint): Promise<LockedStore> {
    if (this.closed.includes(id)) throw new DomainError('not_found');
    const locked = this.#stores.get(id);
    if (locked) return locked.store;
    const [found] = await lockRows(this, 'stores', { id, closed_at: null }, ['id', ...counters]);
    if (!found) throw new DomainError('not_found');
    const store = { ...found };
    this.#stores.set(id, { found, store });
    return store;
  }

  async saveStores(): Promise<NewRevisions> {
    const revisions = new Map<bigint, bigint>();
    for (const [id, { found, store }] of this.#stores) {
      if (counters.every((name) => store[name] === found[name])) continue;
      const isChanged = store.revision !== found.revision;
      // Sent concurrently: on PostgreSQL, they share a round trip.
      const [, due] = await Promise.all([
        updateRows(this, 'stores', { id }, pick(store, counters)),
        isChanged ? this.all(markWebhooksDue, { storeId: id }) : [],
      ]);
      if (due.length > 0) this.hasDueWebhooks = true;
      revisions.set(id, store.revision);
    }
    for (const id of this.closed) revisions.set(id, CLOSED);
    return revisions;
  }
}

/** Only webhooks of this store, found by an index. The store is locked. 0 means due now. */
const markWebhooksDue = query((db, p: { storeId: bigint }) =>
  db
    .updateTable('webhooks')
    .set({ next_due: 0n })
    .where('store_id', '=', p.storeId)
    .where('active', '=', 1n)
    .where((eb) => eb.or([eb('next_due', 'is', null), eb('next_due', '>', 0n)]))
    .returning('id'),
);
