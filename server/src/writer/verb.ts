import { Unavailable } from '../database/engine.ts';
import { type Connection, type Query, query, valuesOf } from '../database/query.ts';
import { lockRows, updateRows } from '../database/rows.ts';
import { DomainError } from '../domain/domain-error.ts';

/** One kind of change. It refuses before its first write: other commands may share its transaction. */
export interface Verb<Args, Result> {
  readonly name: string;
  readonly run: (tx: Transaction, args: Args) => Promise<Result>;
}

/** Every verb of the files that are loaded: a thread is sent names. */
export const verbs = new Map<string, Verb<never, unknown>>();

export function verb<Args extends object, Result>(
  name: string,
  run: (tx: Transaction, args: Args) => Promise<Result>,
): Verb<Args, Result> {
  const made = { name, run };
  verbs.set(name, made);
  return made;
}

export interface Command {
  readonly verb: Verb<never, unknown>;
  readonly args: object;
  readonly traceparent?: string | undefined;
}

export function storeOf(args: object): bigint | undefined {
  return 'storeId' in args ? (args.storeId as bigint) : undefined;
}

export interface TransactionConnection extends Connection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** False as soon as the end is asked for, and where the database has ended the transaction by itself. */
  readonly isInTransaction: boolean;
}

const counters = ['revision', 'next_order_id', 'next_pet_id', 'next_idempotency'] as const;

/** A store's row, locked by the transaction. A verb changes it here, and it is saved with the group. */
export type LockedStore = { readonly id: bigint } & Record<(typeof counters)[number], bigint>;

/** The revisions that commits have brought stores to. */
export type Reached = ReadonlyMap<bigint, bigint>;

/** Stands for the revision of a store that a commit has closed. */
export const CLOSED = 0n;

/** What a group of commands shares. As a verb refuses before its first change, a refusal leaves the stores as they are. */
export class Transaction implements Connection {
  readonly #connection: Connection & Pick<TransactionConnection, 'isInTransaction'>;
  readonly #stores = new Map<bigint, { readonly found: LockedStore; readonly store: LockedStore }>();
  readonly closed: bigint[] = [];
  /** Whether a webhook has something to send that it had not before. */
  hasDueWebhooks = false;
  /** Of the command that runs. */
  traceparent: string | null = null;

  constructor(connection: Connection & Pick<TransactionConnection, 'isInTransaction'>) {
    this.#connection = connection;
  }

  /** A statement sent beside one that failed may come after the rollback: it would run in no transaction, or in another's. */
  async all<P, R>(query: Query<P, R>, params: P): Promise<R[]> {
    if (!this.#connection.isInTransaction) throw new Unavailable('the transaction has ended');
    return this.#connection.all(query, params);
  }

  async lockStore(id: bigint): Promise<LockedStore> {
    if (this.closed.includes(id)) throw new DomainError('not_found');
    const known = this.#stores.get(id);
    if (known) return known.store;
    const [found] = await lockRows(this, 'stores', { id, closed_at: null }, ['id', ...counters]);
    if (!found) throw new DomainError('not_found');
    const store = { ...found };
    this.#stores.set(id, { found, store });
    return store;
  }

  /** Gives what the commands have brought the stores to. */
  async saveStores(): Promise<Reached> {
    const reached = new Map<bigint, bigint>();
    for (const [id, { found, store }] of this.#stores) {
      if (counters.every((name) => store[name] === found[name])) continue;
      const isChanged = store.revision !== found.revision;
      // Sent together: on PostgreSQL, they share a round trip.
      const [, due] = await Promise.all([
        updateRows(this, 'stores', { id }, valuesOf(store, counters)),
        isChanged ? this.all(markWebhooksDue, { storeId: id }) : [],
      ]);
      if (due.length > 0) this.hasDueWebhooks = true;
      reached.set(id, store.revision);
    }
    for (const id of this.closed) reached.set(id, CLOSED);
    return reached;
  }
}

/** Those of one store, by an index: nothing looks through all webhooks. 0 is before every time. The store is locked. */
const markWebhooksDue = query((db, p: { storeId: bigint }) =>
  db
    .updateTable('webhooks')
    .set({ next_due: 0n })
    .where('store_id', '=', p.storeId)
    .where('active', '=', 1n)
    .where((eb) => eb.or([eb('next_due', 'is', null), eb('next_due', '>', 0n)]))
    .returning('id'),
);
