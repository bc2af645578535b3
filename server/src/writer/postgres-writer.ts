import { atOnce } from '../database/at-once.ts';
import { listsOf } from '../database/each-query.ts';
import { Unavailable } from '../database/engine.ts';
import { PostgresChannel } from '../database/postgres-channel.ts';
import { PostgresLink, type PostgresSession } from '../database/postgres-link.ts';
import { query } from '../database/query.ts';
import type { GroupConnection } from '../transaction/group-connection.ts';
import { openStoreCounters } from '../transaction/locked-store.ts';
import { CommandQueue } from './command-queue.ts';
import { CommitListeners, type OnCommit } from './commit-listeners.ts';
import { type Outcome, runGroup } from './group.ts';
import { type Command, storeOf } from './verbs.ts';
import type { Writer } from './writer.ts';

/** Groups that may be under way at once, each on a connection of its own. */
const QUEUES = 4;
/** A change that waited this long for its turn is given up before it has begun. */
const LONGEST_WAIT_MS = 5_000;

const LOCK_NOT_AVAILABLE = '55P03';

const lockCounters = query((db, p: { id: bigint }) => openStoreCounters(db, p).forUpdate());

/** Changes to one store always wait in the same queue, so this process never waits for itself. */
export function openPostgresWriter(url: string): Writer {
  const listeners = new CommitListeners();
  const channel = new PostgresChannel(url, 'petstore_commits', (storeId, revision) =>
    listeners.tell({ storeId, revision }),
  );
  const onCommit: OnCommit = (reached) => {
    listeners.tell(reached);
    channel.send(reached.storeId, reached.revision);
  };
  const arrivals = new WeakMap<Command, number>();
  const isLate = (command: Command) => performance.now() - (arrivals.get(command) ?? 0) > LONGEST_WAIT_MS;
  const queues = Array.from({ length: QUEUES }, () => {
    const link = new PostgresLink(url);
    return { link, queue: new CommandQueue((commands) => runInTime({ link, isLate, onCommit }, commands)) };
  });
  return {
    apply(verb, args) {
      const command = { verb, args };
      const storeId = BigInt.asUintN(64, storeOf(command) ?? 0n);
      const { queue } = queues[Number(storeId % BigInt(QUEUES))] as (typeof queues)[number];
      arrivals.set(command, performance.now());
      return queue.submit(command) as never;
    },
    onCommit(listener) {
      channel.listen();
      return listeners.add(listener);
    },
    async close() {
      await Promise.all(queues.map(({ queue }) => queue.idle()));
      await Promise.all([...queues.map(({ link }) => link.close()), channel.close()]);
    },
  };
}

/** How groups of one queue are run. */
interface Way {
  readonly link: PostgresLink;
  readonly isLate: (command: Command) => boolean;
  readonly onCommit: OnCommit;
}

/** Runs the group without those that are too late, and without those of a store that somebody else holds. */
async function runInTime(way: Way, commands: readonly Command[]): Promise<Outcome[]> {
  const { link, isLate, onCommit } = way;
  const late = new Set(commands.filter(isLate));
  if (late.size > 0) {
    const outcomes = late.size < commands.length ? await runInTime(way, without(commands, late)) : [];
    return merged(commands, late, { unavailable: 'the change waited too long for its turn' }, outcomes);
  }
  const group = groupOn(link);
  const outcomes = await runGroup(group, commands, onCommit);
  const held = new Set(
    commands.filter((command) => group.held !== undefined && storeOf(command) === group.held),
  );
  if (held.size === 0 || held.size === commands.length) return outcomes;
  const others = await runInTime(way, without(commands, held));
  return merged(commands, held, { unavailable: 'the store is locked by somebody else' }, others);
}

function without(commands: readonly Command[], these: ReadonlySet<Command>): Command[] {
  return commands.filter((command) => !these.has(command));
}

/** Outcomes in the order of the commands: one and the same for `these`, the others in their own order. */
function merged(
  commands: readonly Command[],
  these: ReadonlySet<Command>,
  outcome: Outcome,
  others: readonly Outcome[],
): Outcome[] {
  let next = 0;
  return commands.map((command) => (these.has(command) ? outcome : (others[next++] as Outcome)));
}

interface PostgresGroup extends GroupConnection {
  /** The store whose lock could not be had in time, if that is why nothing at all was done. */
  readonly held: bigint | undefined;
}

/**
 * A group keeps to the session that it began on, and to the time between its BEGIN and its end: elsewhere
 * its statements would stand outside the transaction.
 */
function groupOn(link: PostgresLink): PostgresGroup {
  let session: PostgresSession | undefined;
  let begun: Promise<void> | undefined;
  let attempts = 0;
  let held: bigint | undefined;

  const open = () => {
    if (!session) throw new Unavailable('the transaction has ended');
    return session;
  };
  const all: GroupConnection['all'] = async (query, params) => {
    await begun;
    return open().all(query, params);
  };
  const end = () => {
    const ending = session;
    session = undefined;
    return ending;
  };

  return {
    get held() {
      return held;
    },
    all,
    async each({ many }, rows) {
      const found = new Array(rows.length);
      for (const { position, ...row } of await all(many, listsOf(rows))) found[Number(position) - 1] = row;
      return found;
    },
    async write(writes) {
      await begun;
      const parts = Array.from(writes, ([{ many }, rows]) => [many, listsOf(rows)] as const);
      await open().run(atOnce(parts));
    },
    async begin() {
      attempts++;
      session = await link.session();
      begun = session.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
      begun.catch(() => {});
    },
    async commit() {
      const ending = end();
      try {
        await ending?.commit();
      } catch (error) {
        // The transaction may still be open there: the next group must not find itself inside it.
        ending?.destroy();
        throw error;
      }
    },
    async rollback() {
      const ending = end();
      // What cannot be rolled back must not be there when the next group begins.
      await ending?.exec('ROLLBACK').catch(() => ending.destroy());
    },
    async lockStore(id) {
      try {
        // Sent right behind BEGIN: outside a transaction it would lock nothing, and do no harm.
        const [rows] = await Promise.all([open().all(lockCounters, { id }), begun]);
        return rows[0];
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        if (attempts === 1 && code === LOCK_NOT_AVAILABLE) held = id;
        throw error;
      }
    },
  };
}
