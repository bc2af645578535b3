import { isRetryable, Unavailable } from '../database/engine.ts';
import { DomainError, type DomainErrorCode } from '../domain/domain-error.ts';
import { type Command, type NewRevisions, Transaction, type TransactionConnection } from './verb.ts';

/** The outcome of one command: plain data, so that it can cross to another thread. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly rejected: DomainErrorCode; readonly stack: string | undefined }
  | { readonly unavailable: string }
  | { readonly failed: string };

export interface GroupOutcome {
  readonly outcomes: readonly Outcome[];
  readonly revisions: NewRevisions;
  readonly hasDueWebhooks?: boolean;
}

export interface GroupRunner {
  /** Prepares what the first group would otherwise have to wait for. */
  start?(): Promise<void>;
  run(commands: readonly Command[]): Promise<GroupOutcome>;
  close(): Promise<void>;
}

/** Runs work with exclusive use of a connection. */
export type WithConnection = <T>(work: (connection: TransactionConnection) => Promise<T>) => Promise<T>;

const MAX_RUNS = 3;

/**
 * Runs commands in one transaction. Deadlocks and conflicts are retried, and an unavailable database fails all commands.
 * On any other error, rolls back and runs each command alone.
 */
export async function runGroup(
  withConnection: WithConnection,
  commands: readonly Command[],
): Promise<GroupOutcome> {
  for (let run = 1; ; run++) {
    try {
      return await withConnection((connection) => runOnce(connection, commands));
    } catch (error) {
      if (isRetryable(error) && run < MAX_RUNS) continue;
      if (error instanceof Unavailable)
        return { outcomes: commands.map(() => ({ unavailable: error.message })), revisions: new Map() };
      if (commands.length === 1)
        return { outcomes: [{ failed: String((error as Error).stack ?? error) }], revisions: new Map() };
      break;
    }
  }
  const alone: GroupOutcome[] = [];
  for (const command of commands) alone.push(await runGroup(withConnection, [command]));
  return {
    outcomes: alone.flatMap(({ outcomes }) => outcomes),
    revisions: new Map(alone.flatMap(({ revisions }) => [...revisions])),
    hasDueWebhooks: alone.some(({ hasDueWebhooks }) => hasDueWebhooks),
  };
}

async function runOnce(connection: TransactionConnection, commands: readonly Command[]) {
  try {
    await connection.begin();
    const transaction = new Transaction(connection);
    const outcomes: Outcome[] = [];
    for (const command of commands) outcomes.push(await runCommand(transaction, command));
    const revisions = await transaction.saveStores();
    if (outcomes.every((outcome) => 'rejected' in outcome)) await connection.rollback();
    else await connection.commit().catch(throwNotConfirmed);
    return { outcomes, revisions, hasDueWebhooks: transaction.hasDueWebhooks };
  } catch (error) {
    // Also after a failed BEGIN, which may have taken effect.
    await connection.rollback().catch(() => {});
    throw error;
  }
}

async function runCommand(transaction: Transaction, { verb, args, traceparent }: Command): Promise<Outcome> {
  transaction.traceparent = traceparent ?? null;
  try {
    return { value: await verb.run(transaction, args as never) };
  } catch (error) {
    if (error instanceof DomainError) return { rejected: error.code, stack: error.stack };
    throw error;
  }
}

/** Although COMMIT failed, the changes may be durable: without a `cause`, the error is not retried. */
function throwNotConfirmed(error: unknown): never {
  throw new Unavailable(`the commit was not confirmed: ${(error as Error).message}`);
}
