import { closeInTime, openPool, takeConnection } from '../database/postgres-connection.ts';
import { commandQueue } from './command-queue.ts';
import { commitChannel } from './commit-channel.ts';
import { runGroup, type WithConnection } from './group.ts';
import { type Command, storeOf } from './verb.ts';
import { CommitListeners, type Writer, type WriterLoad } from './writer.ts';

const CONNECTIONS = 12;

/** Keeps the server's setting, with `on` for `off`, for the session: reloading its configuration cannot turn it off. */
const waitForDisk = `SELECT set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)`;

/** Commands of one store are a group. One that names no store is alone: with others, two groups could wait for each other. */
export function openPostgresWriter(url: string, { acceptUnsafe = false } = {}): Writer {
  const pool = openPool(url, { max: CONNECTIONS }, acceptUnsafe ? undefined : waitForDisk);
  const load: WriterLoad = { waiting: 0, onGroup: () => {}, pool };
  const listeners = new CommitListeners();
  const channel = commitChannel(url, listeners.tell);
  const queues = new Map<bigint | symbol, ReturnType<typeof commandQueue>>();

  const withConnection: WithConnection = async (work) => {
    using connection = await takeConnection(pool);
    return await work(connection);
  };
  const run = async (commands: readonly Command[]) => {
    const { outcomes, reached } = await runGroup(withConnection, commands);
    listeners.tell(reached);
    channel.send(reached);
    return outcomes;
  };
  const queueOf = (storeId: bigint | undefined) => {
    const key = storeId ?? Symbol('alone');
    const queue = queues.get(key) ?? commandQueue(run, load, () => queues.delete(key));
    queues.set(key, queue);
    return queue;
  };

  return {
    apply: (verb, args) => queueOf(storeOf(args)).submit(verb, args) as never,
    onCommit(listener) {
      channel.listen();
      return listeners.add(listener);
    },
    load,
    async close() {
      await Promise.all(Array.from(queues.values(), (queue) => queue.idle()));
      await channel.close();
      await closeInTime(pool);
    },
  };
}
