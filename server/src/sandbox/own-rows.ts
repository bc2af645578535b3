import { sql } from 'kysely';
import { type EngineName, query, raw } from '../database/query.ts';
import { orderColumns } from '../orders/order.ts';
import { countOrders } from '../orders/order-counts.ts';
import { petColumns, petTexts } from '../pets/pet.ts';
import { verb } from '../writer/verb.ts';
import { keepPrepared } from './prepare-store.ts';

/** Many rows go as one JSON text: a statement has the same parameters however many they are. */
const rowWriter =
  <Column extends string>(columns: readonly Column[]) =>
  (row: Readonly<Record<Column, bigint | string>>): string => {
    const values = columns.map((column) => row[column]);
    return `[${values.map((value) => (typeof value === 'bigint' ? value : JSON.stringify(value))).join()}]`;
  };
export const writeOwnPet = rowWriter(petColumns);
export const writeOwnOrder = rowWriter(orderColumns);

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

const texts = new Set<string>(['status', ...petTexts]);

const insertInto = (table: 'pets' | 'orders', columns: readonly string[]) =>
  query((db, p: Rows, engine) =>
    raw<never>(
      db,
      sql`
        INSERT INTO ${sql.table(table)} (store_id, ${sql.join(columns.map((column) => sql.ref(column)))}, revision)
        SELECT CAST(${p.storeId} AS bigint),
          ${sql.join(columns.map((column, place) => (texts.has(column) ? text(place) : int(place))))}, 1
        FROM ${each(engine, p.rows)}`,
    ),
  );

const insertPets = insertInto('pets', petColumns);
const insertOrders = insertInto('orders', orderColumns);
