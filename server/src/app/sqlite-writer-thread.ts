import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from '../database/sqlite.ts';
import './verbs.ts';
import { runGroup } from '../writer/group.ts';
import type { FromThread, ThreadData, ToThread } from '../writer/sqlite-writer.ts';
import { type TransactionConnection, type Verb, verbs } from '../writer/verb.ts';

const { path, file, calls } = workerData as ThreadData;
const port = parentPort as MessagePort;

/**
 * Counts the start and the end of a call, so that the main thread notices one that hangs. Calls are synchronous, even those
 * that return a promise.
 */
function countCall<T>(call: () => T): T {
  Atomics.add(calls, 0, 1);
  try {
    return call();
  } finally {
    Atomics.add(calls, 0, 1);
  }
}

const opened = countCall(() => new SqliteConnection(path, 'write', file));
const connection: TransactionConnection = {
  all: (query, params) => countCall(() => opened.all(query, params)),
  begin: () => countCall(() => opened.begin()),
  commit: () => countCall(() => opened.commit()),
  rollback: () => countCall(() => opened.rollback()),
  get isInTransaction() {
    return opened.isInTransaction;
  },
};

port.on('message', async (message: ToThread) => {
  if (message === 'close') {
    opened.close();
    port.close();
    return;
  }
  const verbNamed = (name: string) => verbs.get(name) as Verb<never, unknown>;
  const commands = message.map(({ verb, ...rest }) => ({ verb: verbNamed(verb), ...rest }));
  port.postMessage((await runGroup((work) => work(connection), commands)) satisfies FromThread);
});
port.postMessage('open' satisfies FromThread);
