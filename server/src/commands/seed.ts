import { openDeployment } from '../app/open-deployment.ts';
import { type CommandResult, integer, type ServerCommand } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { openMaintenanceSession } from '../database/prepare-postgres.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { newKey, saveKey } from '../keys/manage-keys.ts';
import { demonstrationPets, startOfDay } from '../provisioning/demonstration-data.ts';
import { generateOrders } from '../provisioning/generate-orders.ts';
import { fillStore, insertStore, randomStoreId } from '../provisioning/open-store.ts';
import { showProgress } from '../transfer/progress.ts';
import { oneDeployment } from './one-deployment.ts';

const MAX_ORDERS = 100_000_000;
const BATCH = 10_000;

/** Creates a store with generated orders in every status, in one transaction. */
export const seed: ServerCommand<CommandResult> = async (values, _, { stderr }) => {
  const orders = integer(values, 'orders', 1, MAX_ORDERS);
  if (orders === undefined) throw new UsageError('seed requires --orders N');
  const { name, location, sqliteFile } = oneDeployment('seed', { deployment: 'production', ...values });
  // Creates or migrates the database, and closes it.
  await (await openDeployment(name, location))[Symbol.asyncDispose]();

  const { key, details } = newKey(name, values.name ?? `${orders} orders`);
  const progress = showProgress(values, 'seed', orders, stderr, 'orders');
  await using connection =
    location.database === undefined
      ? new SqliteConnection(sqliteFile, 'write')
      : await openMaintenanceSession(location.database);
  // 128 MB.
  if (location.database === undefined) await connection.exec('PRAGMA cache_size = -131072');
  await connection.exec('BEGIN');
  const [id, at] = [randomStoreId(), BigInt(Date.now())];
  await connection.all(insertStore, { id, owner: null, nextOrderId: BigInt(orders + 1), at });
  await fillStore(connection, id, { pets: demonstrationPets, orders: [] });
  const recipe = { count: orders, today: startOfDay(at), shift: 0, cycle: 10 };
  for (let first = 1; first <= orders; first += BATCH) {
    const last = Math.min(first + BATCH - 1, orders);
    await fillStore(connection, id, { pets: [], orders: generateOrders(recipe, first, last) });
    progress.add(last - first + 1, '');
  }
  await saveKey(connection, id, details, at);
  await connection.exec('COMMIT');
  progress.end();
  return { text: key, json: { key, orders } };
};
