import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from './database/sqlite.ts';
import './verbs.ts';
import { type GroupOutcome, runGroup } from './writer/group.ts';
import type { ThreadData, ToThread } from './writer/sqlite-writer.ts';
import { type Verb, verbs } from './writer/verb.ts';

const { path, file } = workerData as ThreadData;
const port = parentPort as MessagePort;
const connection = new SqliteConnection(path, 'write', file);

port.on('message', async (message: ToThread) => {
  if (message === 'close') {
    connection.close();
    port.close();
    return;
  }
  const verbNamed = (name: string) => verbs.get(name) as Verb<never, unknown>;
  const commands = message.map(({ verb, ...rest }) => ({ verb: verbNamed(verb), ...rest }));
  port.postMessage((await runGroup((work) => work(connection), commands)) satisfies GroupOutcome);
});
