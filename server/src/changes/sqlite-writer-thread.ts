import { parentPort } from 'node:worker_threads';
import { query } from '../database/query.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { type Outcome, runGroup } from './group.ts';
import type { Reply, Task } from './sqlite-writer.ts';
import type { GroupConnection } from './transaction.ts';

const readCounters = query((db, p: { id: bigint }) =>
  db.selectFrom('stores').select(['revision', 'next_order_id', 'next_pet_id']).where('id', '=', p.id),
);

class FileConnection extends SqliteConnection implements GroupConnection {
  // IMMEDIATE takes the write lock at once: no later statement can find the data changed under it.
  begin = async () => this.exec('BEGIN IMMEDIATE');
  commit = async () => this.exec('COMMIT');
  rollback = async () => this.exec('ROLLBACK');
  lockStore = async (id: bigint) => this.allNow(readCounters, { id })[0];
}

/** By the writer that each belongs to. */
const connections = new Map<number, FileConnection>();

async function run({ writer, path, commands }: Task): Promise<Outcome[]> {
  if (commands.length === 0) {
    connections.get(writer)?.close();
    connections.delete(writer);
    return [];
  }
  const connection = connections.get(writer) ?? new FileConnection(path, 'write');
  connections.set(writer, connection);
  return runGroup(connection, commands);
}

parentPort?.on('message', async (task: Task) => {
  const { writer } = task;
  try {
    parentPort?.postMessage({ writer, outcomes: await run(task) } satisfies Reply);
  } catch (error) {
    parentPort?.postMessage({ writer, failed: String((error as Error).stack ?? error) } satisfies Reply);
  }
});
