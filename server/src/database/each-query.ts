import { type RawBuilder, sql } from 'kysely';
import { type Query, query, raw, type Value } from './query.ts';

/** The types that a row's values have in PostgreSQL. */
type Types<P> = { readonly [K in keyof P]: 'bigint' | 'text' };
type Expressions<P> = { readonly [K in keyof P]: RawBuilder<P[K]> };
/** Those of integers as PostgreSQL writes them, which takes a third of the time that its client does. */
type Lists<P> = { readonly [K in keyof P]: readonly P[K][] | string };

/**
 * A statement that is made for each of many, and gives at most one row for each. To PostgreSQL, where a statement costs
 * a message and its answer, it goes once for all of them; to SQLite, where it costs neither, one by one.
 */
export interface EachQuery<P, R> {
  readonly one: Query<P, R>;
  /** Its rows say which of the many, counted from 1, they are about. */
  readonly many: Query<Lists<P>, R & { position: bigint }>;
}

/** Where the rows come from. */
interface Source {
  /** A `FROM`, or nothing. */
  readonly from: RawBuilder<unknown>;
  /** What an `INSERT` takes from each row. */
  values(expressions: ReadonlyArray<RawBuilder<unknown>>): RawBuilder<unknown>;
}

/** For what one row is inserted from SQLite keeps no copies of pages in case it fails halfway, as it does for a `SELECT`. */
const oneRow: Source = { from: sql``, values: (expressions) => sql`VALUES (${sql.join(expressions)})` };

/** `write` is given the values of a row, and where they come from. */
export function eachQuery<P extends { [K in keyof P]: Value }, R = never>(
  types: Types<P>,
  write: (row: Expressions<P>, source: Source) => RawBuilder<unknown>,
  returning?: RawBuilder<R>,
): EachQuery<P, R> {
  const names = Object.keys(types) as Array<keyof P & string>;
  const rowOf = (expression: (name: keyof P & string) => RawBuilder<unknown>) =>
    Object.fromEntries(names.map((name) => [name, expression(name)])) as unknown as Expressions<P>;
  return {
    one: query((db, p: P) => {
      const written = write(
        rowOf((name) => sql`${p[name]}`),
        oneRow,
      );
      return raw(db, returning ? sql`${written} RETURNING ${returning}` : written) as never;
    }),
    many: query((db, p: Lists<P>) => {
      const lists = sql.join(names.map((name) => sql`CAST(${p[name]} AS ${sql.raw(types[name])}[])`));
      const columns = sql.join([...names, 'position'].map((name) => sql.ref(name)));
      const from = sql`FROM unnest(${lists}) WITH ORDINALITY AS each (${columns})`;
      const written = write(
        rowOf((name) => sql.ref(`each.${name}`)),
        { from, values: (expressions) => sql`SELECT ${sql.join(expressions)} ${from}` },
      );
      return raw(db, returning ? sql`${written} RETURNING ${returning}, position` : written) as never;
    }),
  };
}

/** What goes into the one statement for many: a list for each value of a row. */
export function listsOf<P>(rows: readonly P[]): Lists<P> {
  const names = Object.keys(rows[0] ?? {}) as Array<keyof P>;
  const lists = names.map((name) => {
    const list = rows.map((row) => row[name]);
    return [name, list.every((value) => typeof value === 'bigint') ? `{${list.join()}}` : list];
  });
  return Object.fromEntries(lists) as unknown as Lists<P>;
}
