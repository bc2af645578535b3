import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { type Connection, type EngineName, type Params, type Query, query } from './query.ts';
import type { Schema } from './schema.ts';

type Table = keyof Schema;
type Row<T extends Table> = Selectable<Schema[T]>;
type Column<T extends Table> = keyof Row<T> & string;

/** A statement about rows of one table, without its values: it is written once for each. More than this is a query of its own. */
interface Shape {
  readonly table: Table;
  /** Columns that the rows are found by. */
  readonly where: ReadonlyArray<{ readonly column: string; readonly isNull: boolean }>;
  readonly columns: readonly string[];
  readonly set: readonly string[];
}

type Write = (shape: Shape, p: Params, engine: EngineName) => RawBuilder<never>;

/** Works on the rows in which the columns of `where` have its values, and gives these columns of them. */
type OnRows = <T extends Table, C extends Column<T> = never>(
  connection: Connection,
  table: T,
  where: Partial<Row<T>>,
  columns?: readonly C[],
) => Promise<Array<Pick<Row<T>, C>>>;

function statement(write: Write) {
  const known = new Map<string, Query<Params, never>>();
  return (db: Connection, table: Table, where: object, columns: readonly string[] = [], set: object = {}) => {
    const conditions = Object.entries(where);
    const shape = {
      table,
      where: conditions.map(([column, value]) => ({ column, isNull: value === null })),
      columns,
      set: Object.keys(set),
    };
    const key = JSON.stringify(shape);
    const written = known.get(key) ?? query((_, p: Params, engine) => write(shape, p, engine));
    known.set(key, written);
    // A column that is set may also be one that rows are found by.
    const compared = conditions.map(([column, value]) => [`where ${column}`, value]);
    return db.all(written, { ...set, ...Object.fromEntries(compared) });
  };
}

const select: Write = (shape, p) => {
  const columns = shape.columns.length === 0 ? sql`1` : named(shape.columns);
  return sql`SELECT ${columns} FROM ${sql.table(shape.table)} WHERE ${matching(shape, p)}`;
};

export const findRows: OnRows = statement(select);

/**
 * Locks the rows until the transaction ends; on SQLite that keeps out every other writer anyway. Weaker than FOR UPDATE
 * by one thing: new rows may go on referring to these.
 */
export const lockRows: OnRows = statement((shape, p, engine) =>
  engine === 'postgres' ? sql`${select(shape, p, engine)} FOR NO KEY UPDATE` : select(shape, p, engine),
);

export const deleteRows: OnRows = statement(
  (shape, p) => sql`DELETE FROM ${sql.table(shape.table)} WHERE ${matching(shape, p)}${returning(shape)}`,
);

const update = statement((shape, p) => {
  const { table, set } = shape;
  const changes = sql.join(set.map((column) => sql`${sql.ref(column)} = ${p[column]}`));
  return sql`UPDATE ${sql.table(table)} SET ${changes} WHERE ${matching(shape, p)}${returning(shape)}`;
});

export function updateRows<T extends Table, C extends Column<T> = never>(
  connection: Connection,
  table: T,
  where: Partial<Row<T>>,
  set: Updateable<Schema[T]>,
  columns: readonly C[] = [],
): Promise<Array<Pick<Row<T>, C>>> {
  return update(connection, table, where, columns, set);
}

const insert: Write = ({ table, set }, p) => {
  const values = sql.join(set.map((column) => p[column]));
  return sql`INSERT INTO ${sql.table(table)} (${named(set)}) VALUES (${values})`;
};

/** Only columns of the table: also what is spread into the row is checked. */
type OwnColumns<T extends Table, R> = { [C in Exclude<keyof R, keyof Schema[T]>]: never };

type WithRow = <T extends Table, R extends Insertable<Schema[T]>>(
  db: Connection,
  table: T,
  row: R & OwnColumns<T, R>,
) => Promise<void>;

function withRow(write: Write): WithRow {
  const insertion = statement(write);
  return async (connection, table, row) => {
    await insertion(connection, table, {}, [], row);
  };
}

export const insertRow = withRow(insert);

/** Leaves one that is there already as it is. */
export const ensureRow = withRow((...args) => sql`${insert(...args)} ON CONFLICT DO NOTHING`);

const insertions = new Map<string, Query<{ rows: string }, never>>();

/** Inserts rows of one table by one statement. A column that no row has a value for is left out, and therefore null. */
export async function insertRows<T extends Table, R extends Insertable<Schema[T]>>(
  connection: Connection,
  table: T,
  rows: ReadonlyArray<R & OwnColumns<T, R>>,
): Promise<void> {
  const types = new Map<string, TypedColumn['type']>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (value !== null && value !== undefined)
        types.set(name, typeof value === 'bigint' ? 'INTEGER' : 'TEXT');
  const columns = Array.from(types, ([name, type]) => ({ name, type }));
  const key = JSON.stringify([table, columns]);
  const insertion =
    insertions.get(key) ??
    query((_, p: { rows: string }, engine) => insertingAll(table, columns, p.rows, engine));
  insertions.set(key, insertion);
  const texts = rows.map((row) => columns.map(({ name }) => textOf(row[name as keyof typeof row])));
  if (rows.length > 0) await connection.all(insertion, { rows: JSON.stringify(texts) });
}

const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));

type TypedColumn = { readonly name: string; readonly type: 'INTEGER' | 'TEXT' };

/** Inserts rows, each a list of texts and nulls, as one JSON text: a statement has one parameter however many they are. */
export function insertingAll(
  table: string,
  columns: readonly TypedColumn[],
  rows: string,
  engine: EngineName,
): RawBuilder<never> {
  const values = columns.map(({ type }, place) =>
    type === 'TEXT' ? sql`value ->> ${sql.lit(place)}` : sql`CAST(value ->> ${sql.lit(place)} AS bigint)`,
  );
  const each =
    engine === 'sqlite'
      ? sql`json_each(${rows})`
      : sql`json_array_elements(CAST(${rows} AS json)) AS given (value)`;
  const names = named(columns.map(({ name }) => name));
  return sql`INSERT INTO ${sql.table(table)} (${names}) SELECT ${sql.join(values)} FROM ${each}`;
}

function named(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(column)));
}

function matching({ where }: Shape, p: Params) {
  const conditions = where.map(({ column, isNull }) =>
    isNull ? sql`${sql.ref(column)} IS NULL` : sql`${sql.ref(column)} = ${p[`where ${column}`]}`,
  );
  return sql.join(conditions, sql` AND `);
}

function returning({ columns }: Shape) {
  return columns.length === 0 ? sql`` : sql` RETURNING ${named(columns)}`;
}

interface Some {
  /** Columns that are unique together. */
  readonly order: string;
  /** So many of the first ones go at once. */
  readonly most?: number;
  /** All go but so many of the last ones. */
  readonly kept?: number;
}

/** Deletes some of the rows that `where` holds for. The last one to go is found first; SQLite walks along that condition. */
export function deletingSome(table: Table, where: RawBuilder<unknown>, { order, most = 1_000, kept }: Some) {
  const [name, columns] = [sql.table(table), sql.raw(order)];
  const backwards = sql.raw(`${order.replaceAll(',', ' DESC,')} DESC`);
  const going =
    kept === undefined
      ? sql`${columns} LIMIT ${sql.lit(most)}`
      : sql`${backwards} LIMIT 1 OFFSET ${sql.lit(kept)}`;
  return sql<{ gone: bigint }>`DELETE FROM ${name} WHERE (${columns}) <= (
    SELECT ${columns} FROM (SELECT ${columns} FROM ${name} WHERE ${where} ORDER BY ${going}) AS going
    ORDER BY ${backwards} LIMIT 1
  ) AND ${where} RETURNING 1 AS gone`;
}
