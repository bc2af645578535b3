import { type CompiledQuery, Kysely, PostgresDialect, type RawBuilder, SqliteDialect } from 'kysely';
import type { Schema } from './schema.ts';

export type EngineName = 'sqlite' | 'postgres';
export type Value = bigint | string | null;
export type Params = Record<string, Value>;

interface Statement {
  readonly sql: string;
  bind(params: Params): Value[];
}

/** A query written once, compiled once per engine, and run many times. `types` is never set: it carries P and R. */
export interface Query<P, R> {
  readonly name: string;
  statementFor(engine: EngineName): Statement;
  readonly plannedEachTime: boolean;
  readonly types?: (params: P) => R;
}

export interface Connection {
  all<P, R>(query: Query<P, R>, params: P): Promise<R[]>;
}

/** What Kysely builds, and SQL that is written out. */
interface Built<R> {
  compile(db: Kysely<Schema>): CompiledQuery<R>;
}

/** A place in a query that is built once. `bind` fills it with the value of each run. */
class Hole {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const holes = new Proxy({}, { get: (_, name) => new Hole(String(name)) });

/** They compile queries and never run one: there is no database behind them. */
const noDatabase = async () => {
  throw new Error('queries are run by a Connection');
};
const builders = {
  sqlite: new Kysely<Schema>({ dialect: new SqliteDialect({ database: noDatabase }) }),
  postgres: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: noDatabase }) }),
} as const;

let queries = 0;

export function query<P extends { [K in keyof P]: Value }, R>(
  build: (db: Kysely<Schema>, params: P, engine: EngineName) => Built<R>,
  { plannedEachTime = false } = {},
): Query<P, R> {
  const statements: Partial<Record<EngineName, Statement>> = {};
  return {
    name: `q${++queries}`,
    plannedEachTime,
    statementFor(engine) {
      const db = builders[engine];
      statements[engine] ??= statementOf(build(db, holes as P, engine).compile(db));
      return statements[engine];
    },
  };
}

function statementOf({ sql, parameters }: CompiledQuery): Statement {
  return {
    sql,
    bind: (params) => parameters.map((one) => (one instanceof Hole ? params[one.name] : one) as Value),
  };
}

export function valuesOf<P, K extends keyof P>(p: P, columns: readonly K[]): Pick<P, K> {
  return Object.fromEntries(columns.map((column) => [column, p[column]])) as Pick<P, K>;
}

/** One query for each set of parameters that are given. `write` finds the others undefined, and flags as they are. */
export function queryByShape<P extends { [K in keyof P]: Value | boolean | undefined }, R>(
  write: (p: P, engine: EngineName) => RawBuilder<unknown>,
): (params: P) => Query<P, R> {
  const byShape = new Map<string, Query<P, R>>();
  return (params) => {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    const shape = given.map(([name, value]) => [name, typeof value === 'boolean' ? value : new Hole(name)]);
    const key = JSON.stringify(shape);
    const build = (_: unknown, __: object, engine: EngineName) =>
      write(Object.fromEntries(shape), engine) as RawBuilder<R>;
    const known = byShape.get(key) ?? query(build, { plannedEachTime: true });
    byShape.set(key, known);
    return known;
  };
}
