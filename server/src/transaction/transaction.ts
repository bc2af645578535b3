import type { EachQuery } from '../database/each-query.ts';
import type { Connection } from '../database/engine.ts';
import { Refusal } from '../refusal.ts';
import type { GroupConnection } from './group-connection.ts';
import type { LockedStore } from './locked-store.ts';

/** What verbs of one group asked of one query in one go. */
interface Gathered<P, R> {
  readonly rows: Array<() => P>;
  readonly found: Promise<ReadonlyArray<R | undefined>>;
}

/** What a verb works with: queries, and the locked stores of its group. */
export class Transaction implements Connection {
  readonly #connection: GroupConnection;
  readonly #stores: ReadonlyMap<bigint, LockedStore>;
  /** Stores that this closes: whoever watches one of them is told so. */
  readonly closed: bigint[] = [];
  readonly #gathered = new Map<EachQuery<never, unknown>, unknown>();

  constructor(connection: GroupConnection, stores: ReadonlyMap<bigint, LockedStore>) {
    this.#connection = connection;
    this.#stores = stores;
  }

  all: Connection['all'] = (query, params) => this.#connection.all(query, params);

  /**
   * Waits until no verb of the group has more to ask for the moment, and asks for all of them together. Rows are made
   * when they are sent: of two changes to one order, the one that is made later has the greater revision.
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
