import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import './verbs.ts';
import { runGroup } from './writer/group.ts';
import { SqliteTransactions } from './writer/sqlite-transactions.ts';
import type { FromThread, ThreadData, ToThread } from './writer/threaded-groups.ts';
import { type Verb, verbs } from './writer/verb.ts';

const { path, file } = workerData as ThreadData;
const port = parentPort as MessagePort;
// A thread has started before its file is open: opening may wait for the disk.
port.postMessage('started' satisfies FromThread);
const connection = new SqliteTransactions(path, file);

port.on('message', async (message: ToThread) => {
  if (message === 'close') {
    connection.close();
    port.close();
    return;
  }
  const commands = message.map(({ verb, ...rest }) => ({
    verb: verbs.get(verb) as Verb<never, unknown>,
    ...rest,
  }));
  port.postMessage((await runGroup((work) => work(connection), commands)) satisfies FromThread);
});
