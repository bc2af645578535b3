import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { statementFrom } from '../../accounts/statement.ts';
import type { Connection } from '../../database/engine.ts';
import type { Writer } from '../../writer/writer.ts';

export type AuthDatabase = Kysely<Record<string, Record<string, unknown>>>;

/**
 * Our database as Better Auth knows one: what it reads goes through our reader, what it changes through our
 * writer, on either engine. The compiler named here only serves Kysely; each engine's own makes the text.
 */
export function authDatabase(db: Connection, writer: Writer): AuthDatabase {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ query: node }: Parameters<DatabaseConnection['executeQuery']>[0]) {
      const rows =
        node.kind === 'SelectQueryNode'
          ? await read(db, statementFrom(node))
          : await writer.apply('runStatement', { node, at: 0n });
      return { rows: rows.map(withNumbers) as R[] };
    },
    streamQuery() {
      throw new Error('Better Auth has no use for streams');
    },
  };
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driverOf(connection),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely({ dialect });
}

function read(db: Connection, { query, params }: ReturnType<typeof statementFrom>) {
  return db.all(query, params);
}

/** Each statement stands for itself: what must happen together is a verb of ours. */
function driverOf(connection: DatabaseConnection): Driver {
  const noTransactions = async () => {
    throw new Error('a change of several statements is a verb');
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    destroy: async () => {},
  };
}

/** Better Auth reckons with numbers; nothing it keeps is beyond them. */
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}
