import { closeInTime, openPool, takeConnection, useOf } from '../database/postgres.ts';
import { commitChannel } from './commit-channel.ts';
import { type GroupRunner, runGroup, type WithConnection } from './group.ts';
import { storeOf } from './verb.ts';
import { type OpenWriter, openWriter, type WriteLimits } from './writer.ts';

const CONNECTIONS = 12;

/** Keeps the server's setting, with `on` for `off`, for the session: reloading its configuration cannot turn it off. */
const waitForDisk = `SELECT set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)`;

/** A store is a line. A command that names none is alone: with others, two groups could wait for each other. */
const lineOf = (args: object) => storeOf(args) ?? Symbol('alone');

export function openPostgresWriter(url: string, acceptUnsafe: boolean, limits?: WriteLimits): OpenWriter {
  const pool = openPool(url, CONNECTIONS, acceptUnsafe ? '' : waitForDisk);
  const withConnection: WithConnection = async (work) => {
    using connection = await takeConnection(pool);
    return await work(connection);
  };
  const groups: GroupRunner = {
    async run(commands) {
      const outcome = await runGroup(withConnection, commands);
      channel.send(outcome.reached);
      return outcome;
    },
    async close() {
      await channel.close();
      await closeInTime(pool);
    },
  };
  const writer = openWriter(groups, lineOf, { limits, pool: () => useOf(pool) });
  const channel = commitChannel(url, writer.tell);
  return {
    ...writer,
    onCommit(listener) {
      channel.listen();
      writer.onCommit(listener);
    },
  };
}
