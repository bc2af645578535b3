import type pg from 'pg';
import { connectPostgres } from '../database/postgres-connection.ts';
import { type TransferTable, tableNames, tablesOf } from './tables.ts';
import type { TransferConnection, TransferRow } from './transfer-connection.ts';

const BATCH = 2_000;
/** One statement may sort a whole table; none may last for ever. */
const STATEMENT_TIMEOUT_MS = 3_600_000;
const LOCK_TIMEOUT_MS = 10_000;

export async function openPostgresTransfer(url: string, mode: 'read' | 'write'): Promise<TransferConnection> {
  const session = await connectPostgres(url, {
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 0,
  });
  const read = async (text: string) =>
    (await session.run({ text, rowMode: 'array', types: asText })).rows as unknown as TransferRow[];
  let tables: TransferTable[];
  try {
    if (mode === 'read') {
      await session.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    } else {
      await session.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
      await session.exec(`LOCK TABLE ${tableNames} IN EXCLUSIVE MODE`);
    }
    tables = tablesOf(
      (await read(columns)).map(([table, name, type, keyPlace]) => ({
        table: String(table),
        name: String(name),
        type: String(type),
        keyPlace: keyPlace == null ? null : Number(keyPlace),
      })),
    );
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }

  return {
    tables,
    async count({ name }) {
      const [[count] = []] = await read(`SELECT count(*) FROM ${name}`);
      return Number(count);
    },
    async *rows({ name, columns, key }) {
      const order = key.map((column) => `"${column}"${columns[column] === 'text' ? ' COLLATE "C"' : ''}`);
      await session.exec(
        `DECLARE transfer NO SCROLL CURSOR FOR SELECT ${quoted(columns)} FROM ${name} ORDER BY ${order}`,
      );
      const next = () => read(`FETCH ${BATCH} FROM transfer`);
      for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
      await session.exec('CLOSE transfer');
    },
    async dropIndexes() {
      const rows = await read(secondaryIndexes);
      for (const [name] of rows) await session.exec(`DROP INDEX ${name}`);
      return rows.map(([name, sql]) => ({ name: String(name), sql: String(sql) }));
    },
    async makeIndex({ sql }) {
      await session.exec(`SET LOCAL maintenance_work_mem = '256MB'; ${sql}`);
    },
    async insert({ name, columns }, rows) {
      const arrays = Object.values(columns).map(
        (type, i) => `$${i + 1}::${type === 'text' ? 'text' : 'bigint'}[]`,
      );
      await session.run({
        name: `insert into ${name}`,
        text: `INSERT INTO ${name} (${quoted(columns)}) SELECT * FROM unnest(${arrays})`,
        values: Object.keys(columns).map((_, i) => rows.map((row) => row[i])),
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

const ofTables = `= ANY ('{${tableNames}}'::regclass[])`;

const columns = `
  SELECT attrelid::regclass, attname, atttypid::regtype, array_position(indkey::int2[], attnum)
  FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
  WHERE attrelid ${ofTables} AND attnum > 0 AND NOT attisdropped
  ORDER BY attrelid, attnum`;

const secondaryIndexes = `
  SELECT indexrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index
  WHERE indrelid ${ofTables}
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

/** Everything as the server writes it: exact, and the same text as anywhere else. */
const asText: pg.CustomTypesConfig = { getTypeParser: () => String as never };

function quoted(columns: TransferTable['columns']): string {
  return Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');
}
