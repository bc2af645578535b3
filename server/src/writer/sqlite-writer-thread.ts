import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Reached } from './commit-listeners.ts';
import { runGroup } from './group.ts';
import { SqliteGroupConnection } from './sqlite-group-connection.ts';
import type { Answer, Message, WriterData } from './sqlite-writer.ts';

/**
 * Lets requests go first where there is only one core: below the process itself, whatever other programs it was started
 * above or below. Only Linux tells a thread its number; elsewhere nothing is lost.
 */
function lowerPriority(): void {
  const below = getPriority() + constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      Math.min(below, constants.priority.PRIORITY_LOW),
    );
  } catch {}
}

lowerPriority();

const { path, file } = workerData as WriterData;
const port = parentPort as MessagePort;
port.postMessage('started' satisfies Answer);
const connection = new SqliteGroupConnection(path, file);

port.on('message', async (message: Message) => {
  if (message !== 'close') {
    const reached: Reached[] = [];
    const outcomes = await runGroup(connection, message, (one) => reached.push(one));
    return port.postMessage({ outcomes, reached } satisfies Answer);
  }
  connection.close();
  port.close();
});
