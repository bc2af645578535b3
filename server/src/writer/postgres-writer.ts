import { acquireConnection, closeWithTimeout, openPool, poolUsage } from '../database/postgres.ts';
import { commitChannel } from './commit-channel.ts';
import { type GroupRunner, runGroup, type WithConnection } from './group.ts';
import { storeIdOf } from './verb.ts';
import { type OpenWriter, openWriter, type WriteLimits } from './writer.ts';

const CONNECTIONS = 12;

/** Fixes the server's setting for the session, `off` replaced by `on`: a configuration reload cannot turn it off. */
const fixSynchronousCommit = `SELECT set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)`;

/** One queue per store. A command without a store runs alone: grouped with others, it could deadlock. */
const queueKey = (args: object) => storeIdOf(args) ?? Symbol('alone');

export function openPostgresWriter(url: string, acceptUnsafe: boolean, limits?: WriteLimits): OpenWriter {
  const pool = openPool(url, CONNECTIONS, acceptUnsafe ? '' : fixSynchronousCommit);
  const withConnection: WithConnection = async (work) => {
    using connection = await acquireConnection(pool);
    return await work(connection);
  };
  const groups: GroupRunner = {
    async run(commands) {
      const outcome = await runGroup(withConnection, commands);
      channel.send(outcome.revisions);
      return outcome;
    },
    async close() {
      await channel.close();
      await closeWithTimeout(pool);
    },
  };
  const writer = openWriter(groups, queueKey, { limits, pool: () => poolUsage(pool) });
  const channel = commitChannel(url, writer.notify);
  return {
    ...writer,
    onCommit(listener) {
      channel.listen();
      writer.onCommit(listener);
    },
  };
}
