import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Connection } from '../../../server/src/database/engine.ts';
import type { EngineName, Param } from '../../../server/src/database/query.ts';
import { filterOf, orderParameters } from '../../../server/src/http/v2/list-parameters.ts';
import { readQuery } from '../../../server/src/http/v2/parameters.ts';
import { findOrder } from '../../../server/src/orders/find-order.ts';
import { orderPage } from '../../../server/src/orders/order-pages.ts';
import { isComplete } from '../../../server/src/orders/states.ts';
import { petPage } from '../../../server/src/pets/pet-pages.ts';

/**
 * The limit of what is read from the database: a server that runs the same SQL by the bare driver, writes the rows by
 * JSON.stringify, and knows neither keys nor errors nor a log. The SQL of each question is found out once, at the start.
 */
const [file = '', port] = process.argv.slice(2);
const { engine, where, storeId, headers, limit, paths } = JSON.parse(readFileSync(file, 'utf8')) as {
  engine: EngineName;
  where: string;
  storeId: string;
  headers: string[];
  limit: number;
  paths: string[];
};

type Row = Record<string, string | number>;
type Run = () => Row[] | Promise<Row[]>;

interface Statement {
  readonly sql: string;
  readonly values: readonly Param[];
  readonly plannedEachTime: boolean;
}

const prepare = engine === 'sqlite' ? onSqlite() : onPostgres();

function onSqlite() {
  const db = new DatabaseSync(where, { readOnly: true });
  return ({ sql, values }: Statement): Run => {
    const statement = db.prepare(sql);
    // The id of a store is greater than a number can be.
    statement.setReadBigInts(statement.columns().some(({ name }) => name === 'store_id'));
    return () => statement.all(...(values as bigint[])) as Row[];
  };
}

function onPostgres() {
  const pool = new pg.Pool({ connectionString: where });
  let prepared = 0;
  return ({ sql: text, values, plannedEachTime }: Statement): Run => {
    const name = plannedEachTime ? undefined : `statement ${++prepared}`;
    return async () => (await pool.query({ text, values: [...values], ...(name && { name }) })).rows;
  };
}

/** Everything that answering the path asks of the database, in its order. */
async function statementsOf(path: string): Promise<Run[]> {
  const runs: Run[] = [];
  const recording: Connection = {
    async all(query, params) {
      const { sql, bind } = query.on(engine);
      const values = bind(params as Record<string, Param>);
      const run = prepare({ sql, values, plannedEachTime: query.plannedEachTime });
      runs.push(run);
      const rows = await run();
      // Only what decides on the next statement is of interest; rows are not as the service's own connection reads them.
      return (rows[0]?.isLong === undefined ? [] : rows) as never;
    },
  };
  const store = BigInt(storeId);
  const id = /^\/v2\/store\/orders\/(\d+)$/.exec(path)?.[1];
  if (id !== undefined) await recording.all(findOrder, { storeId: store, orderId: BigInt(id) });
  else if (path.startsWith('/v2/pets'))
    await petPage(recording, {
      storeId: store,
      category: undefined,
      available: undefined,
      after: undefined,
      limit: BigInt(limit + 1),
    });
  else {
    const { filter, sort } = filterOf(readQuery(orderParameters, path));
    await orderPage(recording, { storeId: store, filter, sort, after: undefined, limit: BigInt(limit + 1) });
  }
  return runs;
}

const date = (value: string | number | undefined) => new Date(Number(value)).toISOString();

function shown(row: Row) {
  if (row.status === undefined)
    return {
      id: Number(row.id),
      name: row.name,
      category: row.category,
      status: Number(row.stock) > 0 ? 'available' : 'sold',
      stock: Number(row.stock),
    };
  return {
    id: Number(row.id),
    petId: Number(row.pet_id),
    quantity: Number(row.quantity),
    shipDate: date(row.ship_date),
    complete: isComplete(row.status as 'pending'),
    status: row.status,
    placedAt: date(row.placed_at),
    updatedAt: date(row.updated_at),
  };
}

/** As long as a cursor of the service. */
const nextCursor = 'x'.repeat(54);
const known = new Map(
  await Promise.all(paths.map(async (path) => [path, await statementsOf(path)] as const)),
);

const server = createServer(async ({ url }, response) => {
  const runs = known.get(String(url)) ?? [];
  let rows: Row[] = [];
  for (const run of runs) rows = await run();
  const isOne = String(url).startsWith('/v2/store/orders/');
  const data = rows.slice(0, limit).map(shown);
  const body = JSON.stringify(isOne ? data[0] : { data, nextCursor });
  response.writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(body))]);
  response.end(body);
});
server.keepAliveTimeout = 72_000;
server.listen(Number(port), '127.0.0.1');
