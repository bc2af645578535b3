import type { RootOperationNode } from 'kysely';
import type { Transaction } from '../transaction/transaction.ts';
import { statementFrom } from './statement.ts';

/** One change to the tables of accounts and sessions, as Better Auth states it. */
export async function runStatement(
  tx: Transaction,
  { node }: { node: RootOperationNode; at: bigint },
): Promise<Record<string, unknown>[]> {
  const { query, params } = statementFrom(node);
  return tx.all(query, params);
}
