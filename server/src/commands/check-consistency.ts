import { type RawBuilder, sql } from 'kysely';
import { type Connection, query } from '../database/query.ts';
import { eventTypes, type OrderStatus, orderStatuses } from '../domain/vocabulary.ts';
import { computedCounts } from '../orders/order-counts.ts';
import { MAX_ID_GAP } from '../orders/repair-store.ts';
import { states, statesUpTo } from '../orders/states.ts';
import { petFieldNames } from '../pets/pet.ts';

const MAX_PROBLEMS_PER_STORE = 10;

/** Runs each check on each store. Checks that find nothing have no `problems`. */
export async function checkConsistency(db: Connection, onStore = () => {}) {
  const found = kinds.map(({ what, find }) => ({
    what,
    find,
    problems: [] as string[],
    stores: new Set<bigint>(),
  }));
  for (const { storeId } of await db.all(openStores, {})) {
    for (const { find, problems, stores } of found)
      for (const { id } of await db.all(find, { storeId })) {
        problems.push(`store ${storeId}, id ${id}`);
        stores.add(storeId);
      }
    onStore();
  }
  return found;
}

const openStores = query((db, _: Record<never, never>) =>
  db.selectFrom('stores').select('id as storeId').where('closed_at', 'is', null).orderBy('id'),
);

/** One query per check; each returns the inconsistent rows of a store. */
function inconsistenciesIn(storeId: bigint): Record<string, RawBuilder<unknown>> {
  const withStore = (table: string, id = 'id') => sql`
    SELECT ${sql.ref(`${table}.${id}`)} AS id FROM ${sql.table(table)} JOIN stores ON stores.id = store_id
    WHERE store_id = ${storeId}`;
  const petsWithLastChange = sql`
    pets JOIN (
      SELECT pet_id, max(revision) AS revision FROM changes
      WHERE store_id = ${storeId} AND type IN (${petTypes}) GROUP BY pet_id
    ) AS latest ON latest.pet_id = pets.id
    JOIN changes ON changes.store_id = pets.store_id AND changes.revision = latest.revision`;

  return {
    'order statuses: unknown status': sql`
      SELECT id FROM orders WHERE store_id = ${storeId} AND status NOT IN (${listed(orderStatuses)})`,
    'order times: updated before placed': sql`
      SELECT id FROM orders WHERE store_id = ${storeId} AND updated_at < placed_at`,
    'order revisions: newer than the store': sql`
      ${withStore('orders')} AND orders.revision > stores.revision`,
    'pet revisions: newer than the store': sql`
      ${withStore('pets')} AND pets.revision > stores.revision`,
    'change revisions: newer than the store': sql`
      ${withStore('changes', 'revision')} AND changes.revision > stores.revision`,
    'order ids: beyond the id counter': sql`
      ${withStore('orders')} AND orders.id BETWEEN next_order_id AND next_order_id + ${MAX_ID_GAP}`,
    'pet ids: beyond the id counter': sql`
      ${withStore('pets')} AND pets.id BETWEEN next_pet_id AND next_pet_id + ${MAX_ID_GAP}`,
    'idempotency numbers: beyond the counter': sql`
      ${withStore('idempotency', 'number')} AND number >= next_idempotency`,
    'order pets: pet not found': sql`
      SELECT id FROM orders WHERE store_id = ${storeId} AND NOT EXISTS
        (SELECT 1 FROM pets WHERE pets.store_id = orders.store_id AND pets.id = orders.pet_id)`,
    'stock: does not match the orders': sql`
      SELECT pets.id FROM ${petsWithLastChange}
      WHERE pets.store_id = ${storeId} AND pets.stock IS DISTINCT FROM changes.stock - coalesce((
        SELECT sum(CASE WHEN later.type = 'order.placed' THEN quantity WHEN later.type IN (${typesReturningStock}) THEN -quantity ELSE 0 END)
        FROM changes AS later
        WHERE later.store_id = pets.store_id AND later.pet_id = pets.id AND later.revision > changes.revision
      ), 0)`,
    'order counts: do not match the orders': sql`
      SELECT week AS id FROM (
        ${computedCounts(storeId)}
        UNION ALL SELECT week, status, -count FROM order_counts WHERE store_id = ${storeId}
      ) AS both_ways GROUP BY week, status HAVING sum(count) <> 0`,
    'order log: latest change differs from the order': sql`
      SELECT id FROM orders JOIN changes
        ON changes.store_id = orders.store_id AND changes.revision = orders.revision AND order_id = id
      WHERE orders.store_id = ${storeId} AND (changes.pet_id IS DISTINCT FROM orders.pet_id OR changes.quantity IS DISTINCT FROM orders.quantity
        OR changes.ship_date IS DISTINCT FROM orders.ship_date OR changes.placed_at IS DISTINCT FROM orders.placed_at OR at IS DISTINCT FROM updated_at
        OR type IS DISTINCT FROM ${byStatus((status) => states[status].event)})`,
    'order changes: contradict the order': sql`
      SELECT changes.revision AS id FROM changes JOIN orders ON orders.store_id = changes.store_id AND orders.id = order_id
      WHERE changes.store_id = ${storeId} AND (changes.pet_id IS DISTINCT FROM orders.pet_id OR changes.quantity IS DISTINCT FROM orders.quantity
        OR changes.placed_at IS DISTINCT FROM orders.placed_at OR at NOT BETWEEN orders.placed_at AND updated_at)`,
    'change types: unknown type': sql`
      SELECT revision AS id FROM changes WHERE store_id = ${storeId} AND type NOT IN (${listed(eventTypes)})`,
    'pet log: latest change differs from the pet': sql`
      SELECT pets.id FROM ${petsWithLastChange} WHERE pets.store_id = ${storeId} AND (${petDiffersFromChange})`,
    // The log is pruned from its start: it must contain every change since its oldest entry.
    'latest changes: missing from the log': sql`
      SELECT id FROM orders
      WHERE store_id = ${storeId} AND revision >= (SELECT min(revision) FROM changes WHERE store_id = ${storeId})
        AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.store_id = orders.store_id
          AND changes.revision = orders.revision AND order_id = orders.id)`,
    'all changes: missing from the log': sql`
      SELECT id FROM orders JOIN (
        SELECT order_id, count(*) AS logged FROM changes WHERE store_id = ${storeId} AND order_id IS NOT NULL
        GROUP BY order_id HAVING max(CASE WHEN type = 'order.placed' THEN 1 ELSE 0 END) = 1
      ) AS log ON order_id = id
      WHERE store_id = ${storeId} AND logged IS DISTINCT FROM ${byStatus((status) => statesUpTo(status).length)}`,
  };
}

const listed = (values: ReadonlyArray<string | bigint>) => sql.join(values.map((value) => sql.lit(value)));
const byStatus = (value: (status: OrderStatus) => string | number) => {
  const cases = orderStatuses.map((status) => sql`WHEN ${sql.lit(status)} THEN ${sql.lit(value(status))}`);
  return sql`CASE status ${sql.join(cases, sql` `)} END`;
};

const petTypes = listed(eventTypes.filter((type) => type.startsWith('pet.')));
const typesReturningStock = listed(
  orderStatuses.filter((status) => !states[status].holdsUnits).map((status) => states[status].event),
);
/** Ignores the stock: orders change it without an event of the pet. */
const petDiffersFromChange = sql.join(
  petFieldNames
    .filter((name) => name !== 'stock')
    .map((name) => sql`${sql.ref(`changes.${name}`)} IS DISTINCT FROM ${sql.ref(`pets.${name}`)}`),
  sql` OR `,
);

/** Skips stores closed in the meantime: they are being erased in steps. */
const kinds = Object.keys(inconsistenciesIn(0n)).map((what) => ({
  what,
  find: query(
    (_, { storeId }: { storeId: bigint }) => sql<{ id: bigint }>`
      SELECT id FROM (${inconsistenciesIn(storeId)[what]}) AS found
      WHERE EXISTS (SELECT 1 FROM stores WHERE stores.id = ${storeId} AND closed_at IS NULL)
      LIMIT ${sql.lit(MAX_PROBLEMS_PER_STORE)}`,
  ),
}));
