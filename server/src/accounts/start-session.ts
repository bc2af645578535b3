import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { lockAccount, locked } from './locks.ts';

export interface StartSession {
  readonly id: string;
  readonly accountId: string;
  /** The hash that the password given was checked against. */
  readonly passwordHash: string;
  readonly token: string;
  /** The session that the browser came with, if any: it ends as this one starts. */
  readonly replaces: string | null;
  readonly at: bigint;
  readonly expiresAt: bigint;
}

/** Starts a session, unless the account was deleted or its password changed since the password was checked. */
export async function startSession(tx: Transaction, session: StartSession): Promise<void> {
  const { replaces, ...started } = session;
  const { accountId, at } = started;
  await lockAccount(tx, accountId);
  const [inserted] = await tx.all(insertSession, started);
  if (!inserted) throw new Refusal('not_found');
  await tx.all(forgetSessions, { accountId, at, replaces: replaces ?? '' });
}

/** One statement both looks at the password and inserts, so that no change of it comes in between. */
const insertSession = query((db, p: Omit<StartSession, 'replaces'>, engine) =>
  db
    .insertInto('sessions')
    .columns(['id', 'account_id', 'token', 'created_at', 'expires_at'])
    .expression((eb) =>
      locked(
        engine,
        eb
          .selectFrom('credentials')
          .select((s) => [
            s.cast<string>(s.val(p.id), 'text').as('id'),
            'credentials.account_id',
            s.cast<string>(s.val(p.token), 'text').as('token'),
            s.cast<bigint>(s.val(p.at), 'bigint').as('created_at'),
            s.cast<bigint>(s.val(p.expiresAt), 'bigint').as('expires_at'),
          ])
          .where('credentials.account_id', '=', p.accountId)
          .where('credentials.password', '=', p.passwordHash),
      ),
    )
    .returning('id'),
);

const forgetSessions = query((db, p: { accountId: string; at: bigint; replaces: string }) =>
  db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('token', '=', p.replaces),
        eb.and([eb('account_id', '=', p.accountId), eb('expires_at', '<=', p.at)]),
      ]),
    ),
);
