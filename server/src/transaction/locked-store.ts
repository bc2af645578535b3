import { type Kysely, sql } from 'kysely';
import { type EachQuery, eachQuery } from '../database/each-query.ts';
import { query } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import type { Order } from '../orders/order.ts';
import { widenZone, zoneOfId } from '../orders/order-zones.ts';
import type { GroupConnection, StoreCounters } from './group-connection.ts';

/** Those of a store that is not closed: nothing changes a closed one. */
export function openStoreCounters(db: Kysely<Schema>, p: { id: bigint }) {
  return db
    .selectFrom('stores')
    .select(['revision', 'next_order_id', 'next_pet_id'])
    .where('id', '=', p.id)
    .where('closed_at', 'is', null);
}

/** What the changes of a group to one store have in common. It is gathered here, and written once, at the end. */
export class LockedStore {
  readonly id: bigint;
  readonly #counters: StoreCounters;
  readonly #orderChanges: Array<{ storeId: bigint; revision: bigint; orderId: bigint }> = [];
  /** Units by pet. */
  readonly #givenBack = new Map<bigint, bigint>();
  /** Earliest and latest ship date by zone. */
  readonly #dates = new Map<bigint, readonly [earliest: bigint, latest: bigint]>();
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

  /** Every order with a new ship date must be told of here: its zone has to know. */
  hasNewShipDate({ id, ship_date: date }: Order): void {
    const zone = zoneOfId(id);
    const [earliest, latest] = this.#dates.get(zone) ?? [date, date];
    this.#dates.set(zone, [date < earliest ? date : earliest, date > latest ? date : latest]);
  }

  /** Gives units back to a pet's stock. Placements of the same group do not get them, as if all of this came later. */
  giveBack(petId: bigint, units: bigint): void {
    this.#givenBack.set(petId, (this.#givenBack.get(petId) ?? 0n) + units);
  }

  /** Begins to write all of it; done when all of these are. */
  save(connection: GroupConnection): Array<Promise<unknown>> {
    if (!this.changed) return [];
    const { id: storeId } = this;
    const { revision } = this.#counters;
    const stock = Array.from(this.#givenBack, ([petId, units]) => ({ storeId, petId, units, revision }));
    const zones = Array.from(this.#dates, ([zone, [earliest, latest]]) => ({
      storeId,
      zone,
      earliest,
      latest,
    }));
    const each = <P>(query: EachQuery<P, never>, rows: P[]) =>
      rows.length === 0 ? [] : [connection.each(query, rows)];
    return [
      connection.all(saveCounters, { id: storeId, ...this.#counters }),
      ...each(recordChange, this.#orderChanges),
      ...each(addStock, stock),
      ...each(widenZone, zones),
    ];
  }
}

const saveCounters = query((db, p: StoreCounters & { id: bigint }) =>
  db
    .updateTable('stores')
    .set({ revision: p.revision, next_order_id: p.next_order_id, next_pet_id: p.next_pet_id })
    .where('id', '=', p.id),
);

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
