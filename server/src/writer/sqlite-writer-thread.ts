import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { type Outcome, runGroup } from './group.ts';
import { SqliteGroupConnection } from './sqlite-group-connection.ts';
import type { Reply, Task } from './sqlite-writer.ts';

/** Where there is only one core, requests go first. Only Linux tells a thread its number; elsewhere nothing is lost. */
function giveWay(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {}
}

giveWay();

/** By the writer that each belongs to. */
const connections = new Map<number, SqliteGroupConnection>();

async function run(task: Task): Promise<Outcome[]> {
  if (task.kind === 'change') {
    const connection = connections.get(task.writer) ?? new SqliteGroupConnection(task.path);
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
