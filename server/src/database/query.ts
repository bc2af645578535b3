import { type CompiledQuery, Kysely, PostgresDialect, type RawBuilder, SqliteDialect } from 'kysely';
import type { Schema } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';
export type Value = bigint | string | null;
export type Params = Record<string, Value>;

interface Statement {
  readonly sql: string;
  bind(params: Params): Value[];
}

/** A query, compiled once per engine and run many times. `types` is never set: it carries P and R. */
export interface Query<P, R> {
  readonly name: string;
  statementFor(engine: EngineName): Statement;
  /** Not a prepared statement: PostgreSQL plans it for the values of each run. */
  readonly plannedEachTime: boolean;
  readonly types?: (params: P) => R;
}

export interface Connection {
  all<P, R>(query: Query<P, R>, params: P): Promise<R[]>;
}

/** A Kysely query builder or raw SQL. */
interface Compilable<R> {
  compile(db: Kysely<Schema>): CompiledQuery<R>;
}

/** Stands for a parameter's value while the query is built. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** The builders only compile queries. */
const noDatabase = async () => {
  throw new Error('queries are run by a Connection');
};
const builders = {
  sqlite: new Kysely<Schema>({ dialect: new SqliteDialect({ database: noDatabase }) }),
  postgres: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: noDatabase }) }),
} as const;

type Build<P, R> = (db: Kysely<Schema>, params: P, engine: EngineName) => Compilable<R>;

let queryCount = 0;

export function query<P extends { [K in keyof P]: Value }, R>(
  build: Build<P, R>,
  { plannedEachTime = false } = {},
): Query<P, R> {
  const statements: Partial<Record<EngineName, Statement>> = {};
  return {
    name: `q${++queryCount}`,
    plannedEachTime,
    statementFor(engine) {
      const db = builders[engine];
      statements[engine] ??= statementOf(build(db, placeholders as P, engine).compile(db));
      return statements[engine];
    },
  };
}

function statementOf({ sql, parameters }: CompiledQuery): Statement {
  return {
    sql,
    bind: (params) =>
      parameters.map(
        (parameter) => (parameter instanceof Placeholder ? params[parameter.name] : parameter) as Value,
      ),
  };
}

/** Queries whose SQL varies. `key` identifies a variant, which is built once. */
export function queryVariants<P extends { [K in keyof P]: Value }, R>(options = {}) {
  const variants = new Map<string, Query<P, R>>();
  return (key: object, build: Build<P, R>): Query<P, R> => {
    const text = JSON.stringify(key);
    const variant = variants.get(text) ?? query(build, options);
    variants.set(text, variant);
    return variant;
  };
}

export function pick<P, K extends keyof P>(p: P, columns: readonly K[]): Pick<P, K> {
  return Object.fromEntries(columns.map((column) => [column, p[column]])) as Pick<P, K>;
}

/** Builds one query for each set of defined parameters. `build` gets booleans as values, and placeholders for the others. */
export function queryByShape<P extends { [K in keyof P]: Value | boolean | undefined }, R>(
  build: (p: P, engine: EngineName) => RawBuilder<unknown>,
): (params: P) => Query<P, R> {
  const variant = queryVariants<never, R>({ plannedEachTime: true });
  return (params) => {
    const defined = Object.entries(params).filter(([, value]) => value !== undefined);
    const shape = Object.fromEntries(
      defined.map(([name, value]) => [name, typeof value === 'boolean' ? value : new Placeholder(name)]),
    ) as P;
    return variant(shape, (_, __, engine) => build(shape, engine) as RawBuilder<R>) as Query<P, R>;
  };
}
