import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query, raw } from '../database/query.ts';
import { ALL_WEEKS, weekOfRow } from '../orders/order-counts.ts';
import { states, statesUpTo } from '../orders/states.ts';
import { petFieldNames } from '../pets/pet.ts';
import { hardIds } from '../sandbox/data-sets.ts';
import { eventTypes, type OrderStatus, orderStatuses } from '../vocabulary.ts';

const statuses = sql.join(orderStatuses.map((status) => sql.lit(status)));
const byStatus = (value: (status: OrderStatus) => RawBuilder<unknown>) =>
  sql`CASE status ${sql.join(
    orderStatuses.map((status) => sql`WHEN ${sql.lit(status)} THEN ${value(status)}`),
    sql` `,
  )} END`;
const typeOfState = byStatus((status) => sql.lit(states[status].event));
const changesToState = byStatus((status) => sql.lit(statesUpTo(status).length));
const givesBack = sql.join(
  orderStatuses.filter((status) => !states[status].holdsUnits).map((status) => sql.lit(states[status].event)),
);
const types = sql.join(eventTypes.map((type) => sql.lit(type)));
const petTypes = sql.join(eventTypes.filter((type) => type.startsWith('pet.')).map((type) => sql.lit(type)));
const hard = sql.join(hardIds.map((id) => sql.lit(id)));

/** Stock is left out: orders change it without a change of the pet. */
const differsFromLog = sql.join(
  petFieldNames
    .filter((name) => name !== 'stock')
    .map((name) => sql`${sql.ref(`changes.${name}`)} <> ${sql.ref(`pets.${name}`)}`),
  sql` OR `,
);

/** Pets, each with the last change of its own. */
const petsAsLastTold = (store: RawBuilder<bigint>) => sql`
  pets JOIN (
    SELECT pet_id, max(revision) AS revision FROM changes
    WHERE store_id = ${store} AND type IN (${petTypes}) GROUP BY pet_id
  ) AS told ON told.pet_id = pets.id
  JOIN changes ON changes.store_id = pets.store_id AND changes.revision = told.revision`;

const contradictions: Record<string, (store: RawBuilder<bigint>) => RawBuilder<unknown>> = {
  'states: orders in a state that does not exist': (store) => sql`
    SELECT id FROM orders WHERE store_id = ${store} AND status NOT IN (${statuses})`,
  'times of orders: orders changed before they were placed': (store) => sql`
    SELECT id FROM orders WHERE store_id = ${store} AND updated_at < placed_at`,
  'revisions of orders: orders newer than their store': (store) => sql`
    SELECT orders.id FROM orders JOIN stores ON stores.id = orders.store_id
    WHERE store_id = ${store} AND orders.revision > stores.revision`,
  'revisions of pets: pets newer than their store': (store) => sql`
    SELECT pets.id FROM pets JOIN stores ON stores.id = pets.store_id
    WHERE store_id = ${store} AND pets.revision > stores.revision`,
  'revisions of changes: changes newer than their store': (store) => sql`
    SELECT changes.revision AS id FROM changes JOIN stores ON stores.id = changes.store_id
    WHERE store_id = ${store} AND changes.revision > stores.revision`,
  'ids of orders: orders with an id that is yet to be given': (store) => sql`
    SELECT orders.id FROM orders JOIN stores ON stores.id = orders.store_id
    WHERE store_id = ${store} AND orders.id >= next_order_id AND orders.id NOT IN (${hard})`,
  'ids of pets: pets with an id that is yet to be given': (store) => sql`
    SELECT pets.id FROM pets JOIN stores ON stores.id = pets.store_id
    WHERE store_id = ${store} AND pets.id >= next_pet_id AND pets.id NOT IN (${hard})`,
  'numbers of answers: answers with a number that is yet to be given': (store) => sql`
    SELECT number AS id FROM idempotency JOIN stores ON stores.id = idempotency.store_id
    WHERE store_id = ${store} AND number >= next_idempotency`,
  'pets of orders: orders of pets that are not there': (store) => sql`
    SELECT id FROM orders WHERE store_id = ${store} AND NOT EXISTS
      (SELECT 1 FROM pets WHERE pets.store_id = orders.store_id AND pets.id = orders.pet_id)`,
  'stock: pets whose stock is not what their orders left': (store) => sql`
    SELECT pets.id FROM ${petsAsLastTold(store)}
    WHERE pets.store_id = ${store} AND pets.stock <> changes.stock - coalesce((
      SELECT sum(CASE WHEN later.type = 'order.placed' THEN quantity WHEN later.type IN (${givesBack}) THEN -quantity ELSE 0 END)
      FROM changes AS later
      WHERE later.store_id = pets.store_id AND later.pet_id = pets.id AND later.revision > changes.revision
    ), 0)`,
  'counts of orders: counts that are not those of the orders': (store) => sql`
    SELECT week AS id FROM (
      SELECT ${weekOfRow} AS week, status, count(*) AS count FROM orders WHERE store_id = ${store} GROUP BY 1, 2
      UNION ALL SELECT ${sql.lit(ALL_WEEKS)}, status, count(*) FROM orders WHERE store_id = ${store} GROUP BY status
      UNION ALL SELECT week, status, -count FROM order_counts WHERE store_id = ${store}
    ) AS both_ways GROUP BY week, status HAVING sum(count) <> 0`,
  'log of orders: orders of which the log of changes tells otherwise': (store) => sql`
    SELECT id FROM orders JOIN changes
      ON changes.store_id = orders.store_id AND changes.revision = orders.revision AND order_id = id
    WHERE orders.store_id = ${store} AND (changes.pet_id <> orders.pet_id OR changes.quantity <> orders.quantity
      OR changes.ship_date <> orders.ship_date OR changes.placed_at <> orders.placed_at OR at <> updated_at
      OR type <> ${typeOfState})`,
  'changes of orders: changes that tell of an order what it never was': (store) => sql`
    SELECT changes.revision AS id FROM changes JOIN orders ON orders.store_id = changes.store_id AND orders.id = order_id
    WHERE changes.store_id = ${store} AND (changes.pet_id <> orders.pet_id OR changes.quantity <> orders.quantity
      OR changes.placed_at <> orders.placed_at OR at NOT BETWEEN orders.placed_at AND updated_at)`,
  'kinds of changes: changes of a kind that does not exist': (store) => sql`
    SELECT revision AS id FROM changes WHERE store_id = ${store} AND type NOT IN (${types})`,
  'log of pets: pets of which the log of changes tells otherwise': (store) => sql`
    SELECT pets.id FROM ${petsAsLastTold(store)}
    WHERE pets.store_id = ${store} AND (${differsFromLog})`,
  // The log is forgotten from its beginning: it has every change since its oldest one.
  'last changes: orders whose last change is missing in the log': (store) => sql`
    SELECT id FROM orders
    WHERE store_id = ${store} AND revision >= (SELECT min(revision) FROM changes WHERE store_id = ${store})
      AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.store_id = orders.store_id
        AND changes.revision = orders.revision AND order_id = orders.id)`,
  'all changes: orders of which a change is missing in the log': (store) => sql`
    SELECT id FROM orders JOIN (
      SELECT order_id, count(*) AS told FROM changes WHERE store_id = ${store} AND order_id IS NOT NULL
      GROUP BY order_id HAVING max(CASE WHEN type = 'order.placed' THEN 1 ELSE 0 END) = 1
    ) AS log ON order_id = id
    WHERE store_id = ${store} AND told <> ${changesToState}`,
};

const MOST_SHOWN = 10;

/** Nothing is asked of a store that is closed: it is being made, or erased, step by step. */
const queries = Object.entries(contradictions).map(([what, of]) => ({
  what,
  find: query((db, p: { storeId: bigint }) =>
    raw(
      db,
      sql<{ id: bigint }>`
        SELECT id FROM (${of(sql`${p.storeId}`)}) AS found
        WHERE EXISTS (SELECT 1 FROM stores WHERE stores.id = ${p.storeId} AND closed_at IS NULL)
        LIMIT ${sql.lit(MOST_SHOWN)}`,
    ),
  ),
}));

export async function findContradictions(
  db: Connection,
  onStore: () => void = () => {},
): Promise<Array<{ what: string; problems: string[] }>> {
  const found = queries.map(({ what, find }) => ({ what, find, problems: [] as string[] }));
  let [store] = await db.all(nextStore, { after: -(2n ** 63n) });
  while (store) {
    const storeId = store.id;
    for (const { find, problems } of found)
      for (const { id } of await db.all(find, { storeId })) problems.push(`store ${storeId}, id ${id}`);
    onStore();
    [store] = await db.all(nextStore, { after: storeId });
  }
  return found;
}

const nextStore = query((db, p: { after: bigint }) =>
  db
    .selectFrom('stores')
    .select('id')
    .where('id', '>', p.after)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .limit(1),
);
