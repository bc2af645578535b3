import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { type Connection, type EngineName, type Params, queryVariants } from './query.ts';
import type { Schema } from './schema.ts';

type Table = keyof Schema;
type Row<T extends Table> = Selectable<Schema[T]>;
type Column<T extends Table> = keyof Row<T> & string;

/** A statement on one table, without its values. Anything more complex is a query of its own. */
interface Shape {
  readonly table: Table;
  readonly where: ReadonlyArray<{ readonly column: string; readonly isNull: boolean }>;
  readonly columns: readonly string[];
  readonly set: readonly string[];
}

type Build = (shape: Shape, p: Params, engine: EngineName) => RawBuilder<never>;

/** Runs a statement on the rows that equal `where`, and returns the given columns of them. */
type RowStatement = <T extends Table, C extends Column<T> = never>(
  connection: Connection,
  table: T,
  where: Partial<Row<T>>,
  columns?: readonly C[],
) => Promise<Array<Pick<Row<T>, C>>>;

/** Builds one query per shape. */
function statement(build: Build) {
  const variant = queryVariants<Params, never>();
  return (db: Connection, table: Table, where: object, columns: readonly string[] = [], set: object = {}) => {
    const conditions = Object.entries(where);
    const shape = {
      table,
      where: conditions.map(([column, value]) => ({ column, isNull: value === null })),
      columns,
      set: Object.keys(set),
    };
    // The prefix distinguishes conditions from new values of the same column.
    const conditionValues = conditions.map(([column, value]) => [`where ${column}`, value]);
    const query = variant(shape, (_, p, engine) => build(shape, p, engine));
    return db.all(query, { ...set, ...Object.fromEntries(conditionValues) });
  };
}

const select: Build = (shape, p) => {
  const columns = shape.columns.length === 0 ? sql`1` : columnList(shape.columns);
  return sql`SELECT ${columns} FROM ${sql.table(shape.table)} WHERE ${whereClause(shape, p)}`;
};

export const findRows: RowStatement = statement(select);

/** Locks rows until the transaction ends; others can still insert rows that reference them. SQLite has one writer anyway. */
export const lockRows: RowStatement = statement((shape, p, engine) =>
  engine === 'postgres' ? sql`${select(shape, p, engine)} FOR NO KEY UPDATE` : select(shape, p, engine),
);

export const deleteRows: RowStatement = statement(
  (shape, p) =>
    sql`DELETE FROM ${sql.table(shape.table)} WHERE ${whereClause(shape, p)}${returningClause(shape)}`,
);

const update = statement((shape, p) => {
  const { table, set } = shape;
  const changes = sql.join(set.map((column) => sql`${sql.ref(column)} = ${p[column]}`));
  return sql`UPDATE ${sql.table(table)} SET ${changes} WHERE ${whereClause(shape, p)}${returningClause(shape)}`;
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

const insert: Build = ({ table, set }, p) => {
  const values = sql.join(set.map((column) => p[column]));
  return sql`INSERT INTO ${sql.table(table)} (${columnList(set)}) VALUES (${values})`;
};

/** Rejects columns that the table lacks, also in spread objects. */
type NoUnknownColumns<T extends Table, R> = { [C in Exclude<keyof R, keyof Schema[T]>]: never };

type InsertRow = <T extends Table, R extends Insertable<Schema[T]>>(
  db: Connection,
  table: T,
  row: R & NoUnknownColumns<T, R>,
) => Promise<void>;

function singleInsertion(build: Build): InsertRow {
  const run = statement(build);
  return async (connection, table, row) => {
    await run(connection, table, {}, [], row);
  };
}

export const insertRow = singleInsertion(insert);

/** Does nothing if the row exists. */
export const insertRowIfAbsent = singleInsertion((...args) => sql`${insert(...args)} ON CONFLICT DO NOTHING`);

const bulkInsertQuery = queryVariants<{ rows: string }, never>();

/** Inserts rows with one statement. Columns without a value in any row are left out. */
export async function insertRows<T extends Table, R extends Insertable<Schema[T]>>(
  connection: Connection,
  table: T,
  rows: ReadonlyArray<R & NoUnknownColumns<T, R>>,
): Promise<void> {
  const types = new Map<string, TypedColumn['type']>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (value !== null && value !== undefined)
        types.set(name, typeof value === 'bigint' ? 'INTEGER' : 'TEXT');
  const columns = Array.from(types, ([name, type]) => ({ name, type }));
  const query = bulkInsertQuery([table, columns], (_, p, engine) =>
    insertFromJson(table, columns, p.rows, engine),
  );
  const texts = rows.map((row) =>
    columns.map(({ name }) => (row as Row<T>)[name as Column<T>]?.toString() ?? null),
  );
  if (rows.length > 0) await connection.all(query, { rows: JSON.stringify(texts) });
}

type TypedColumn = { readonly name: string; readonly type: 'INTEGER' | 'TEXT' };

/** Inserts rows, each an array of strings and nulls, from JSON: one parameter for any number of rows. */
export function insertFromJson(
  table: string,
  columns: readonly TypedColumn[],
  rows: string,
  engine: EngineName,
): RawBuilder<never> {
  const values = columns.map(({ type }, i) =>
    type === 'TEXT' ? sql`value ->> ${sql.lit(i)}` : sql`CAST(value ->> ${sql.lit(i)} AS bigint)`,
  );
  const source =
    engine === 'sqlite'
      ? sql`json_each(${rows})`
      : sql`json_array_elements(CAST(${rows} AS json)) AS source (value)`;
  const names = columnList(columns.map(({ name }) => name));
  return sql`INSERT INTO ${sql.table(table)} (${names}) SELECT ${sql.join(values)} FROM ${source}`;
}

function columnList(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(column)));
}

function whereClause({ where }: Shape, p: Params) {
  const conditions = where.map(({ column, isNull }) =>
    isNull ? sql`${sql.ref(column)} IS NULL` : sql`${sql.ref(column)} = ${p[`where ${column}`]}`,
  );
  return sql.join(conditions, sql` AND `);
}

function returningClause({ columns }: Shape) {
  return columns.length === 0 ? sql`` : sql` RETURNING ${columnList(columns)}`;
}

interface Batch {
  /** Columns that are unique together. */
  readonly order: string;
  /** Deletes the first rows, up to this many. */
  readonly limit?: number;
  /** Deletes all but this many of the last rows. */
  readonly retained?: number;
}

/** Deletes a batch of the rows that match `where`: those up to a row that a subquery finds, so that SQLite uses an index. */
export function deleteBatch(table: Table, where: RawBuilder<unknown>, batch: Batch) {
  const { order, limit = 1_000, retained } = batch;
  const [name, columns] = [sql.table(table), sql.raw(order)];
  const descending = sql.raw(`${order.replaceAll(',', ' DESC,')} DESC`);
  const orderAndLimit =
    retained === undefined
      ? sql`${columns} LIMIT ${sql.lit(limit)}`
      : sql`${descending} LIMIT 1 OFFSET ${sql.lit(retained)}`;
  return sql<{ deleted: bigint }>`DELETE FROM ${name} WHERE (${columns}) <= (
    SELECT ${columns} FROM (SELECT ${columns} FROM ${name} WHERE ${where} ORDER BY ${orderAndLimit}) AS candidates
    ORDER BY ${descending} LIMIT 1
  ) AND ${where} RETURNING 1 AS deleted`;
}
