import { query } from '../database/query.ts';
import { deleteRows, insertRow } from '../database/rows.ts';
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

interface Owner {
  readonly accountId: string | null;
  readonly keyId: string | null;
}

const MOST_OF_OWNER = 100n;

export async function saveSession(tx: Transaction, session: NewSession, owner: Owner): Promise<void> {
  const { id, token, replaces, at, expiresAt, address, agent } = session;
  const times = { created_at: at, expires_at: expiresAt, seen_at: at };
  const of = { account_id: owner.accountId, key_id: owner.keyId };
  await insertRow(tx, 'sessions', { id, token, ...of, ...times, address, agent });
  if (replaces !== null) await deleteRows(tx, 'sessions', { token: replaces });
  await tx.all(endOldest, { ...owner, kept: MOST_OF_OWNER });
}

const endOldest = query((db, p: Owner & { kept: bigint }) =>
  db.deleteFrom('sessions').where('id', 'in', (eb) =>
    eb
      .selectFrom('sessions')
      .select('id')
      .where((of) => of.or([of('account_id', '=', p.accountId), of('key_id', '=', p.keyId)]))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(100)
      .offset(p.kept),
  ),
);
