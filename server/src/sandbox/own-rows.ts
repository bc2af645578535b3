import { sql } from 'kysely';
import { type EngineName, query, raw } from '../database/query.ts';
import type { Order } from '../orders/order.ts';
import { countOrders } from '../orders/order-counts.ts';
import type { Pet } from '../pets/pet.ts';
import { verb } from '../writer/verb.ts';
import { keepPrepared } from './prepare-store.ts';

/** Many rows go as one JSON text: a statement has the same parameters however many they are. */
export const writeOwnPet = ({ id, name, category, stock }: Pet): string =>
  `[${id},${JSON.stringify(name)},${JSON.stringify(category)},${stock}]`;
export const writeOwnOrder = (order: Order): string =>
  `[${order.id},${order.pet_id},${order.quantity},${order.ship_date},"${order.status}",${order.placed_at},${order.updated_at}]`;

interface AddRows {
  /** A store that is being prepared. */
  readonly storeId: bigint;
  readonly rows: string;
  readonly at: bigint;
}

export const addOwnPets = verb('addOwnPets', async (tx, { storeId, rows, at }: AddRows): Promise<void> => {
  await keepPrepared(tx, storeId, at);
  await tx.all(insertPets, { storeId, rows });
});

/** Orders by ascending id, from the first to the last of them. */
interface AddOrders extends AddRows {
  readonly first: bigint;
  readonly last: bigint;
}

export const addOwnOrders = verb(
  'addOwnOrders',
  async (tx, { storeId, rows, first, last, at }: AddOrders): Promise<void> => {
    await keepPrepared(tx, storeId, at);
    await tx.all(insertOrders, { storeId, rows });
    await tx.all(countOrders, { storeId, first, last });
  },
);

type Rows = Pick<AddRows, 'storeId' | 'rows'>;

const int = (place: number) => sql`CAST(value ->> ${sql.lit(place)} AS bigint)`;
const text = (place: number) => sql`value ->> ${sql.lit(place)}`;
const each = (engine: EngineName, rows: string) =>
  engine === 'sqlite'
    ? sql`json_each(${rows})`
    : sql`json_array_elements(CAST(${rows} AS json)) AS made (value)`;

const insertPets = query((db, p: Rows, engine) =>
  raw<never>(
    db,
    sql`
      INSERT INTO pets (store_id, id, name, category, stock, revision)
      SELECT CAST(${p.storeId} AS bigint), ${int(0)}, ${text(1)}, ${text(2)}, ${int(3)}, 1 FROM ${each(engine, p.rows)}`,
  ),
);

const insertOrders = query((db, p: Rows, engine) =>
  raw<never>(
    db,
    sql`
      INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
      SELECT CAST(${p.storeId} AS bigint), ${int(0)}, ${int(1)}, ${int(2)}, ${int(3)}, ${text(4)}, ${int(5)}, ${int(6)}, 1
      FROM ${each(engine, p.rows)}`,
  ),
);
