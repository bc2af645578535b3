import { integer, type ServerCommand, type Told } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { openLongPostgres } from '../database/prepare-postgres.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { newKey } from '../keys/create-key.ts';
import { openDeployment } from '../open-deployment.ts';
import { seedStore } from '../orders/seed-store.ts';
import { showProgress } from '../transfer/progress.ts';
import { oneDeployment } from './one-deployment.ts';

const MOST_ORDERS = 100_000_000;

export const seed: ServerCommand<Told> = async (values) => {
  const orders = integer(values, 'orders', 1, MOST_ORDERS);
  if (orders === undefined) throw new UsageError('seed needs --orders N, how many orders to make');
  const { name, location, sqliteFile } = oneDeployment('seed', { deployment: 'production', ...values });
  await (await openDeployment(name, location))[Symbol.asyncDispose]();

  const { key, details } = newKey(name, values.name ?? `${orders} orders`);
  const progress = showProgress(values, 'seed', orders, 'orders');
  await using connection =
    location.database === undefined
      ? new SqliteConnection(sqliteFile, 'write')
      : await openLongPostgres(location.database);
  if (location.database === undefined) await connection.exec('PRAGMA cache_size = -131072');
  await connection.exec('BEGIN');
  await seedStore(connection, { orders, key: details, at: BigInt(Date.now()) }, (more) =>
    progress.add(more, ''),
  );
  await connection.exec('COMMIT');
  progress.end();
  return { text: key, json: { key, orders } };
};
