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

async function run(task: Task): Promise<Outcome[]> {
  if (task.kind === 'change') {
    const connection = connections.get(task.writer) ?? new FileConnection(task.path, 'write');
    connections.set(task.writer, connection);
    return runGroup(connection, task.commands);
  }
  if (task.kind === 'close') {
    connections.get(task.writer)?.close();
    connections.delete(task.writer);
  }
  return [];
}

parentPort?.on('message', async (task: Task) => {
  const { number } = task;
  try {
    parentPort?.postMessage({ number, outcomes: await run(task) } satisfies Reply);
  } catch (error) {
    parentPort?.postMessage({ number, failed: (error as Error).message } satisfies Reply);
  }
});
