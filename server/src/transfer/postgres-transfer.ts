import pg from 'pg';
import { connectPostgres } from '../database/postgres-connection.ts';
import {
  quoted,
  type TransferConnection,
  type TransferRow,
  type TransferTable,
  tableNames,
  tableOf,
} from './tables.ts';

const BATCH = 2_000;
/** One statement may sort a whole table; none may last for ever. */
const STATEMENT_TIMEOUT_MS = 3_600_000;
const LOCK_TIMEOUT_MS = 10_000;

/** Everything as the server writes it: exact, and the same text as anywhere else. */
const asText: pg.CustomTypesConfig = { getTypeParser: () => String as never };

export async function openPostgresTransfer(url: string, mode: 'read' | 'write'): Promise<TransferConnection> {
  const session = await connectPostgres(url, {
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 0,
  });
  const read = (text: string) => session.run({ text, rowMode: 'array', types: asText });
  const tables: TransferTable[] = [];
  try {
    if (mode === 'read') {
      await session.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    } else {
      await session.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
      await session.exec(`LOCK TABLE ${tableNames} IN EXCLUSIVE MODE`);
    }
    for (const name of tableNames) {
      const { fields } = await read(`SELECT * FROM ${name} LIMIT 0`);
      const typeOf = (oid: number) => (oid === pg.types.builtins.INT8 ? 'integer' : 'text');
      tables.push(
        tableOf(
          name,
          fields.map(({ name, dataTypeID }) => [name, typeOf(dataTypeID)]),
        ),
      );
    }
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }

  return {
    tables,
    async count({ name }) {
      const { rows } = await read(`SELECT count(*) FROM ${name}`);
      return Number(rows[0]?.[0]);
    },
    async *rows({ name, columns, key }) {
      const order = key.map((column) => `"${column}"${columns[column] === 'text' ? ' COLLATE "C"' : ''}`);
      await session.exec(
        `DECLARE transfer NO SCROLL CURSOR FOR SELECT ${quoted(Object.keys(columns))} FROM ${name} ORDER BY ${order}`,
      );
      const next = async () => (await read(`FETCH ${BATCH} FROM transfer`)).rows as TransferRow[];
      for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
      await session.exec('CLOSE transfer');
    },
    async insert({ name, columns }, rows) {
      const names = Object.keys(columns);
      const arrays = names.map(
        (column, i) => `$${i + 1}::${columns[column] === 'text' ? 'text' : 'bigint'}[]`,
      );
      await session.run({
        name: `insert into ${name}`,
        text: `INSERT INTO ${name} (${quoted(names)}) SELECT * FROM unnest(${arrays})`,
        values: names.map((_, i) => rows.map((row) => row[i])),
      });
    },
    async clear({ name }) {
      await session.exec(`DELETE FROM ${name}`);
    },
    async commit() {
      await session.exec('COMMIT');
      await session.exec('ANALYZE');
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
