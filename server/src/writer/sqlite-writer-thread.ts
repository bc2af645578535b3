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

/** Groups as small as this mean that nobody waits for long. */
const SMALL_GROUP = 8;
/** Changes whose pages, a few MB, are carried over into the file in some milliseconds. */
const ENOUGH = 50;

/**
 * Carries the log over into the file in small steps while little is asked for. Left to SQLite, it is done in one of 64 MB, for
 * which all changes wait: that is the least work in all, and right only where there is no end to them.
 */
function carryOver(connection: SqliteGroupConnection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // It stays in the log, and everything is in it.
  }
}

const { path, file } = workerData as WriterData;
const port = parentPort as MessagePort;
port.postMessage('started' satisfies Answer);
const connection = new SqliteGroupConnection(path, file);
let uncarried = 0;
let lastLength = 0;

port.on('message', async (message: Message) => {
  if (message !== 'close') {
    const reached: Reached[] = [];
    const outcomes = await runGroup(connection, message, (one) => reached.push(one));
    port.postMessage({ outcomes, reached } satisfies Answer);
    uncarried += message.length;
    // Of those who ask again and again, a few may be a group of their own between large ones.
    const longest = Math.max(lastLength, message.length);
    lastLength = message.length;
    if (uncarried < ENOUGH || longest > SMALL_GROUP) return;
    carryOver(connection);
    uncarried = 0;
    return;
  }
  connection.close();
  port.close();
});
