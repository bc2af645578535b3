import { isRetryable, Unavailable } from '../database/engine.ts';
import { DomainError, type DomainErrorCode } from '../domain/domain-error.ts';
import { type Command, type Reached, Transaction, type TransactionConnection } from './verb.ts';

/** The outcome of one command: plain data, so that it can cross to another thread. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly rejected: DomainErrorCode; readonly stack: string | undefined }
  | { readonly unavailable: string }
  | { readonly failed: string };

export interface GroupOutcome {
  readonly outcomes: readonly Outcome[];
  readonly reached: Reached;
  readonly hasDueWebhooks?: boolean;
}

export interface GroupRunner {
  /** Prepares what the first group would otherwise have to wait for. */
  start?(): Promise<void>;
  run(commands: readonly Command[]): Promise<GroupOutcome>;
  close(): Promise<void>;
}

/** Gives each run of a group a connection, which is its own until it is done. */
export type WithConnection = <T>(work: (connection: TransactionConnection) => Promise<T>) => Promise<T>;

const MAX_RUNS = 3;

/** Runs commands in one transaction. If one fails, neither refused nor for want of the database, each runs alone. */
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
        return { outcomes: commands.map(() => ({ unavailable: error.message })), reached: new Map() };
      if (commands.length === 1)
        return { outcomes: [{ failed: String((error as Error).stack ?? error) }], reached: new Map() };
      break;
    }
  }
  const alone: GroupOutcome[] = [];
  for (const command of commands) alone.push(await runGroup(withConnection, [command]));
  return {
    outcomes: alone.flatMap(({ outcomes }) => outcomes),
    reached: new Map(alone.flatMap(({ reached }) => [...reached])),
    hasDueWebhooks: alone.some(({ hasDueWebhooks }) => hasDueWebhooks),
  };
}

async function runOnce(connection: TransactionConnection, commands: readonly Command[]) {
  try {
    await connection.begin();
    const transaction = new Transaction(connection);
    const outcomes: Outcome[] = [];
    for (const command of commands) outcomes.push(await runCommand(transaction, command));
    const reached = await transaction.saveStores();
    if (outcomes.every((outcome) => 'refused' in outcome)) await connection.rollback();
    else await connection.commit().catch(notConfirmed);
    return { outcomes, reached, hasDueWebhooks: transaction.hasDueWebhooks };
  } catch (error) {
    // A BEGIN that failed may have begun all the same.
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

/** Once COMMIT was sent, the changes may be there: they are not reported as done, nor, as no `cause` is given, retried. */
function notConfirmed(error: unknown): never {
  throw new Unavailable(`the commit was not confirmed: ${(error as Error).message}`);
}
