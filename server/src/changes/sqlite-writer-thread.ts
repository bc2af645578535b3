import { parentPort, workerData } from 'node:worker_threads';
import { query } from '../database/query.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { runGroup } from './group.ts';
import type { GroupConnection } from './transaction.ts';
import type { Command } from './verbs.ts';

const readCounters = query((db, p: { id: bigint }) =>
  db.selectFrom('stores').select(['revision', 'next_order_id', 'next_pet_id']).where('id', '=', p.id),
);

const sqlite = new SqliteConnection(workerData.path, 'write');
const connection: GroupConnection = {
  all: (query, params) => sqlite.all(query, params),
  // IMMEDIATE takes the write lock at once: no later statement can find the data changed under it.
  begin: async () => sqlite.exec('BEGIN IMMEDIATE'),
  commit: async () => sqlite.exec('COMMIT'),
  rollback: async () => sqlite.exec('ROLLBACK'),
  lockStore: async (id) => (await sqlite.all(readCounters, { id }))[0],
};

parentPort?.on('message', async (message: Command[] | 'close') => {
  if (message !== 'close') return parentPort?.postMessage(await runGroup(connection, message));
  sqlite.close();
  parentPort?.close();
});
