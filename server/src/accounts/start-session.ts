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
  /** The moment, and the session's end, in ISO 8601. */
  readonly time: string;
  readonly expires: string;
}

/** Starts a session, unless the account was deleted or its password changed since the password was checked. */
export async function startSession(tx: Transaction, session: StartSession): Promise<void> {
  const { replaces, ...started } = session;
  const { accountId, time } = started;
  await lockAccount(tx, accountId);
  const [inserted] = await tx.all(insertSession, started);
  if (!inserted) throw new Refusal('not_found');
  await tx.all(forgetSessions, { accountId, time, replaces: replaces ?? '' });
}

/** One statement both looks at the password and inserts, so that no change of it comes in between. */
const insertSession = query((db, p: Omit<StartSession, 'replaces'>, engine) =>
  db
    .insertInto('sessions')
    .columns(['id', 'account_id', 'token', 'expires_at', 'created_at', 'updated_at'])
    .expression((eb) =>
      locked(
        engine,
        eb
          .selectFrom('credentials')
          .select((s) => [
            s.cast<string>(s.val(p.id), 'text').as('id'),
            'credentials.account_id',
            s.cast<string>(s.val(p.token), 'text').as('token'),
            s.cast<string>(s.val(p.expires), 'text').as('expires_at'),
            s.cast<string>(s.val(p.time), 'text').as('created_at'),
            s.cast<string>(s.val(p.time), 'text').as('updated_at'),
          ])
          .where('credentials.account_id', '=', p.accountId)
          .where('credentials.password', '=', p.passwordHash),
      ),
    )
    .returning('id'),
);

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
