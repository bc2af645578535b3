import { sql } from 'kysely';
import { type EachQuery, eachQuery } from '../database/each-query.ts';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';

/** A connection on which a group of changes can run as one transaction. */
export interface GroupConnection extends Connection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** What the query finds for each of these, in their order. */
  each<P, R>(query: EachQuery<P, R>, rows: readonly P[]): Promise<Array<R | undefined>>;
  /** Reads a store's counters and keeps every other writer away from them until the transaction ends. */
  lockStore(id: bigint): Promise<StoreCounters | undefined>;
}

export interface StoreCounters {
  revision: bigint;
  next_order_id: bigint;
  next_pet_id: bigint;
}

/** What all changes to a locked store have in common. It is kept here, and written once, at the end. */
export class LockedStore {
  readonly id: bigint;
  readonly #counters: StoreCounters;
  readonly #orderChanges: Array<{ storeId: bigint; revision: bigint; orderId: bigint }> = [];
  /** Units by pet. */
  readonly #givenBack = new Map<bigint, bigint>();
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

  orderChanged(orderId: bigint, revision: bigint): void {
    this.#orderChanges.push({ storeId: this.id, revision, orderId });
    this.changed = true;
  }

  /** Gives units back to a pet's stock: for whoever takes some at the same moment, a moment too late. */
  giveBack(petId: bigint, units: bigint): void {
    this.#givenBack.set(petId, (this.#givenBack.get(petId) ?? 0n) + units);
  }

  async save(connection: GroupConnection): Promise<void> {
    if (!this.changed) return;
    const { revision } = this.#counters;
    const givenBack = Array.from(this.#givenBack, ([petId, units]) => ({
      storeId: this.id,
      petId,
      units,
      revision,
    }));
    await Promise.all([
      connection.all(saveCounters, { id: this.id, ...this.#counters }),
      this.#orderChanges.length > 0 && connection.each(recordChange, this.#orderChanges),
      givenBack.length > 0 && connection.each(addStock, givenBack),
    ]);
  }
}

const recordChange = eachQuery<{ storeId: bigint; revision: bigint; orderId: bigint }>(
  { storeId: 'bigint', revision: 'bigint', orderId: 'bigint' },
  ({ storeId, revision, orderId }, from) => sql`
    INSERT INTO order_changes (store_id, revision, order_id) SELECT ${storeId}, ${revision}, ${orderId} ${from}`,
);

const addStock = eachQuery<{ storeId: bigint; petId: bigint; units: bigint; revision: bigint }>(
  { storeId: 'bigint', petId: 'bigint', units: 'bigint', revision: 'bigint' },
  ({ storeId, petId, units, revision }, from) => sql`
    UPDATE pets SET stock = stock + ${units}, revision = ${revision} ${from}
    WHERE store_id = ${storeId} AND id = ${petId}`,
);

const saveCounters = query((db, p: StoreCounters & { id: bigint }) =>
  db
    .updateTable('stores')
    .set({ revision: p.revision, next_order_id: p.next_order_id, next_pet_id: p.next_pet_id })
    .where('id', '=', p.id),
);

/** What verbs of one group asked of one query in one go. */
interface Gathered<P, R> {
  readonly rows: Array<() => P>;
  readonly found: Promise<ReadonlyArray<R | undefined>>;
}

/** What a verb works with: queries, and the locked stores of its group. */
export class Transaction implements Connection {
  readonly #connection: GroupConnection;
  readonly #stores: ReadonlyMap<bigint, LockedStore>;
  readonly #gathered = new Map<EachQuery<never, unknown>, unknown>();

  constructor(connection: GroupConnection, stores: ReadonlyMap<bigint, LockedStore>) {
    this.#connection = connection;
    this.#stores = stores;
  }

  all: Connection['all'] = (query, params) => this.#connection.all(query, params);

  /**
   * Waits until no verb of the group has more to ask for the moment, and asks for all of them together. Rows are made
   * when they are sent: a revision in one is then greater than those of all that was sent before.
   */
  each<P, R>(query: EachQuery<P, R>, row: () => P): Promise<R | undefined> {
    const gathered = (this.#gathered.get(query) ?? this.#gather(query)) as Gathered<P, R>;
    const position = gathered.rows.push(row) - 1;
    return gathered.found.then((found) => found[position]);
  }

  #gather<P, R>(query: EachQuery<P, R>): Gathered<P, R> {
    const rows: Array<() => P> = [];
    const found = new Promise(process.nextTick).then(() => {
      this.#gathered.delete(query);
      return this.#connection.each(
        query,
        rows.map((row) => row()),
      );
    });
    const gathered = { rows, found };
    this.#gathered.set(query, gathered);
    return gathered;
  }

  store(id: bigint): LockedStore {
    const store = this.#stores.get(id);
    if (!store) throw new Refusal('not_found');
    return store;
  }
}
