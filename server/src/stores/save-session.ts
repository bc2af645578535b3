import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { deleteRows, deletingSome, insertRow } from '../database/rows.ts';
import type { Transaction } from '../writer/transaction.ts';

export interface NewSession {
  readonly id: string;
  readonly token: string;
  /** The session that the browser came with, if any: it ends as this one starts. */
  readonly replaces: string | null;
  readonly at: bigint;
  readonly expiresAt: bigint;
  readonly address: string;
  readonly agent: string;
}

type Owner = { accountId: string | null; keyId: string | null };

const MOST_OF_OWNER = 100;

export async function saveSession(tx: Transaction, session: NewSession, owner: Owner): Promise<void> {
  const { id, token, replaces, at, expiresAt, address, agent } = session;
  const times = { created_at: at, expires_at: expiresAt, seen_at: at };
  const of = { account_id: owner.accountId, key_id: owner.keyId };
  await insertRow(tx, 'sessions', { id, token, ...of, ...times, address, agent });
  if (replaces !== null) await deleteRows(tx, 'sessions', { token: replaces });
  await tx.all(endOldest, { ...owner });
}

const endOldest = query((_, p: Owner) => {
  const own = sql`(account_id = ${p.accountId} OR key_id = ${p.keyId})`;
  return deletingSome('sessions', own, { key: 'id', order: 'created_at DESC, id DESC', skip: MOST_OF_OWNER });
});
