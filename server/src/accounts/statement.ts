import {
  createQueryId,
  PostgresQueryCompiler,
  type QueryCompiler,
  type RootOperationNode,
  SqliteQueryCompiler,
} from 'kysely';
import type { EngineName, Params, Query, Value } from '../database/query.ts';

const compilers: Record<EngineName, new () => QueryCompiler> = {
  sqlite: SqliteQueryCompiler,
  postgres: PostgresQueryCompiler,
};

type Row = Record<string, unknown>;

/** Statements by their text: each is made, and prepared by the database, once. Better Auth has a handful of them. */
const queries = new Map<string, Query<Params, Row>>();

/** A statement built elsewhere with Kysely, as a query like our own and its parameters. */
export function statementFrom(node: RootOperationNode): { query: Query<Params, Row>; params: Params } {
  const { sql, parameters } = compile(node, 'sqlite');
  const query = queries.get(sql) ?? queryFrom(node);
  queries.set(sql, query);
  return {
    query,
    params: Object.fromEntries(parameters.map((value, index) => [`p${index}`, value as Value])),
  };
}

function queryFrom(node: RootOperationNode): Query<Params, Row> {
  return {
    plannedEachTime: false,
    on: (engine) => {
      const { sql, parameters } = compile(node, engine);
      return { sql, bind: (params) => parameters.map((_, index) => params[`p${index}`] as Value) };
    },
  };
}

function compile(node: RootOperationNode, engine: EngineName) {
  return new compilers[engine]().compileQuery(node, createQueryId());
}
