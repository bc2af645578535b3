import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { lockAccount, lockPassword } from './locks.ts';

export interface StartSession {
  readonly id: string;
  readonly accountId: string;
  /** The hash that the password given was checked against. */
  readonly passwordHash: string;
  readonly token: string;
  /** The session that the browser came with, if any: it ends as this one starts. */
  readonly replaces: string | null;
  /** The moment, and the session's end, as Better Auth writes them. */
  readonly time: string;
  readonly expires: string;
  readonly at: bigint;
}

/** Starts a session, unless the account was deleted or its password changed since the password was checked. */
export async function startSession(tx: Transaction, session: StartSession): Promise<void> {
  const { accountId, passwordHash, replaces, time } = session;
  await lockAccount(tx, accountId);
  if (!(await lockPassword(tx, { accountId, passwordHash }))) throw new Refusal('not_found');
  await tx.all(forgetSessions, { accountId, time, replaces: replaces ?? '' });
  const { id, token, expires } = session;
  await tx.all(insertSession, { id, accountId, token, expires, time });
}

const forgetSessions = query((db, p: { accountId: string; time: string; replaces: string }) =>
  db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('token', '=', p.replaces),
        eb.and([eb('account_id', '=', p.accountId), eb('expires_at', '<=', p.time)]),
      ]),
    ),
);

const insertSession = query(
  (db, p: { id: string; accountId: string; token: string; expires: string; time: string }) =>
    db.insertInto('sessions').values({
      id: p.id,
      account_id: p.accountId,
      token: p.token,
      ip_address: null,
      user_agent: null,
      expires_at: p.expires,
      created_at: p.time,
      updated_at: p.time,
    }),
);
