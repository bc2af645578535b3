import { join } from 'node:path';
import { integer, type ServerCommand } from '../config/flags.ts';
import { type Location, locationFrom } from '../config/location.ts';
import { UsageError } from '../config/usage-error.ts';
import type { Connection } from '../database/engine.ts';
import { connectPostgres } from '../database/postgres-connection.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import type { DeploymentName } from '../deployment.ts';
import { newKey } from '../keys/create-key.ts';
import { openDeployment } from '../open-deployment.ts';
import { seedStore } from '../orders/seed-store.ts';

const MOST_ORDERS = 100_000_000;

/** `petstore seed --orders N`: opens a store with N orders and prints its key alone on stdout. */
export const seed: ServerCommand = async (values) => {
  const orders = integer('orders', values.orders, 1, MOST_ORDERS);
  if (orders === undefined) throw new UsageError('seed needs --orders N, how many orders to make');
  const location = locationFrom({ deployment: 'production', ...values });
  const [name] = location.deployments as [DeploymentName];
  // Brings the database to the newest schema first.
  await (await openDeployment(name, location))[Symbol.asyncDispose]();

  const { key, details } = newKey(name, String(values.name ?? `${orders} orders`));
  const progress = progressLine(orders);
  await using bulk = await openBulk(name, location);
  await bulk.exec('BEGIN');
  await seedStore(bulk, { orders, key: details, at: BigInt(Date.now()) }, progress.show);
  await bulk.exec('COMMIT');
  progress.end();
  console.log(key);
};

/** A bulk of orders takes its time, and nobody waits for it. */
const LONGEST_STATEMENT_MS = 600_000;

/** A connection of its own for one long transaction. What is not committed when it closes never was. */
async function openBulk(
  name: DeploymentName,
  { data, database }: Location,
): Promise<Connection & AsyncDisposable & { exec(sql: string): unknown }> {
  if (database === undefined) {
    const sqlite = new SqliteConnection(join(data, `${name}.db`), 'write');
    sqlite.exec('PRAGMA cache_size = -131072');
    return Object.assign(sqlite, { [Symbol.asyncDispose]: async () => sqlite.close() });
  }
  return connectPostgres(database, {
    statement_timeout: LONGEST_STATEMENT_MS,
    query_timeout: LONGEST_STATEMENT_MS,
  });
}

/** One line on stderr, rewritten in a terminal; in a log, only the last one is written. */
function progressLine(orders: number): { show: (done: number) => void; end: () => void } {
  const started = performance.now();
  let made = 0;
  const line = () =>
    `${made.toLocaleString('en')} of ${orders.toLocaleString('en')} orders, ${((performance.now() - started) / 1000).toFixed(1)} s`;
  return {
    show(done) {
      made = done;
      if (process.stderr.isTTY) process.stderr.write(`\r${line()}`);
    },
    end() {
      process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${line()}\n`);
    },
  };
}
