import { Unavailable } from '../database/engine.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';
import type { GroupConnection, Writes } from '../transaction/group-connection.ts';
import { LockedStore } from '../transaction/locked-store.ts';
import { Transaction } from '../transaction/transaction.ts';
import { CLOSED, type OnCommit } from './commit-listeners.ts';
import { type Command, storeOf, verbs } from './verbs.ts';

/** What became of one command: plain data, so that it can cross to another thread. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly refused: RefusalCode }
  | { readonly unavailable: string }
  | { readonly failed: string };

/** Runs all commands in one transaction with one commit, each with an outcome of its own, and tells of the commit. */
export async function runGroup(
  connection: GroupConnection,
  commands: readonly Command[],
  onCommit: OnCommit,
  run = 1,
): Promise<Outcome[]> {
  try {
    return await runTogether(connection, commands, onCommit);
  } catch (error) {
    if (isRetryable(error) && run < MOST_RUNS) return runGroup(connection, commands, onCommit, run + 1);
    if (error instanceof Unavailable) return commands.map(() => ({ unavailable: error.message }));
    if (commands.length === 1) return [{ failed: String((error as Error).stack ?? error) }];
  }
  // One of them broke the transaction: alone, each is answered for itself.
  const outcomes: Outcome[] = [];
  for (const command of commands) outcomes.push(...(await runGroup(connection, [command], onCommit)));
  return outcomes;
}

const MOST_RUNS = 3;

/** True if the database undid the transaction to end a deadlock or a conflict: it can simply run again. */
function isRetryable(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return code === '40P01' || code === '40001';
}

async function runTogether(
  connection: GroupConnection,
  commands: readonly Command[],
  onCommit: OnCommit,
): Promise<Outcome[]> {
  try {
    // Also one that failed may have begun, and must not be there for the next group.
    await connection.begin();
    const stores = await lockStores(connection, commands);
    const transaction = new Transaction(connection, stores);
    const outcomes = await allOf(commands.map((command) => run(transaction, command)));
    if (outcomes.some((outcome) => 'value' in outcome)) {
      await save(connection, stores.values());
      await commit(connection);
      for (const { id: storeId, revision, changed } of stores.values())
        if (changed) onCommit({ storeId, revision });
      for (const storeId of transaction.closed) onCommit({ storeId, revision: CLOSED });
    } else {
      await connection.rollback();
    }
    return outcomes;
  } catch (error) {
    await connection.rollback().catch(() => {});
    throw error;
  }
}

/** Writes what the changes have in common, of all stores together. */
async function save(connection: GroupConnection, stores: Iterable<LockedStore>): Promise<void> {
  const writes: Writes = new Map();
  for (const store of stores) store.addTo(writes);
  if (writes.size > 0) await connection.write(writes);
}

/**
 * Once COMMIT was sent, nobody but the database knows what became of it, whatever went wrong: the changes may have been
 * made, so that they must be neither reported as done nor made again.
 */
async function commit(connection: GroupConnection): Promise<void> {
  try {
    await connection.commit();
  } catch (error) {
    // As the cause of a cause, what the database said is no reason to run the group again.
    throw new Unavailable('the commit was not confirmed', {
      cause: new Error('COMMIT failed', { cause: error }),
    });
  }
}

/** Waits for every one, also after one failed: none may still be at work when the transaction has ended. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Always in ascending order, so that no two groups can wait for each other. */
async function lockStores(connection: GroupConnection, commands: readonly Command[]) {
  const ids = new Set(commands.map(storeOf).filter((id) => id !== undefined));
  const stores = new Map<bigint, LockedStore>();
  for (const id of [...ids].sort((a, b) => (a < b ? -1 : 1))) {
    const counters = await connection.lockStore(id);
    if (counters) stores.set(id, new LockedStore(id, counters));
  }
  return stores;
}

async function run(transaction: Transaction, { verb, args }: Command): Promise<Outcome> {
  try {
    return {
      value: await (verbs[verb] as (tx: Transaction, args: unknown) => Promise<unknown>)(transaction, args),
    };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    throw error;
  }
}
