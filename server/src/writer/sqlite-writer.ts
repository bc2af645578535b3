import type { FileMark } from '../database/database-files.ts';
import { Unavailable } from '../database/engine.ts';
import { commandQueue } from './command-queue.ts';
import { type GroupRunner, runGroup } from './group.ts';
import { SqliteTransactions } from './sqlite-transactions.ts';
import { groupsOnThread, type Patience } from './threaded-groups.ts';
import { CommitListeners, type Writer, type WriterLoad } from './writer.ts';

/** All waiting commands are one group. If it runs on a thread, waiting for the disk holds up no request. */
export function openSqliteWriter(
  path: string,
  file: FileMark,
  { onThread = false, patience }: { onThread?: boolean; patience?: Patience } = {},
): Writer {
  const listeners = new CommitListeners();
  const groups = onThread ? groupsOnThread({ path, file }, patience) : groupsHere(path, file);
  const load: WriterLoad = { waiting: 0, onGroup: () => {} };
  let isClosed = false;
  const queue = commandQueue(async (commands) => {
    if (isClosed) throw new Unavailable('the database was closed');
    const { outcomes, reached } = await groups.run(commands);
    listeners.tell(reached);
    return outcomes;
  }, load);
  return {
    apply: (verb, args) => queue.submit(verb, args) as never,
    onCommit: (listener) => listeners.add(listener),
    load,
    async close() {
      await queue.idle();
      isClosed = true;
      await groups.close();
    },
  };
}

function groupsHere(path: string, file: FileMark): GroupRunner {
  let connection: SqliteTransactions | undefined;
  return {
    async run(commands) {
      connection ??= new SqliteTransactions(path, file);
      const open = connection;
      return runGroup((work) => work(open), commands);
    },
    async close() {
      connection?.close();
      connection = undefined;
    },
  };
}
