import { locked, query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { saveEvent } from '../stores/account-events.ts';
import { lockAccount } from '../stores/account-locks.ts';
import { type RightTry, settleAttempts } from '../stores/count-attempts.ts';
import { verb } from '../writer/verb.ts';

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
  readonly address: string;
  readonly agent: string;
  readonly attempts: RightTry;
}

/** Starts a session, unless the account was deleted or its password changed since the password was checked. */
export const startSession = verb('startSession', async (tx, session: StartSession): Promise<void> => {
  const { replaces, attempts, passwordHash, ...started } = session;
  const { accountId, address, at } = started;
  await lockAccount(tx, accountId);
  const [right] = await tx.all(rightPassword, { accountId, passwordHash });
  if (!right) throw new Refusal('not_found');
  await tx.all(insertSession, started);
  if (replaces !== null) await tx.all(endReplaced, { token: replaces });
  await tx.all(forgetOldest, { accountId, kept: MOST_SESSIONS });
  await saveEvent(tx, { accountId, address, what: 'signed_in', at });
  await settleAttempts(tx, attempts);
});

/** Of one account; the oldest end when there are more. */
const MOST_SESSIONS = 100n;

/** Locked: the password is changed before, or after all of this, and then ends the session. */
const rightPassword = query((db, p: { accountId: string; passwordHash: string }, engine) =>
  locked(
    engine,
    db
      .selectFrom('credentials')
      .select('account_id')
      .where('account_id', '=', p.accountId)
      .where('password', '=', p.passwordHash),
  ),
);

const insertSession = query((db, p: Omit<StartSession, 'passwordHash' | 'replaces' | 'attempts'>) =>
  db.insertInto('sessions').values({
    id: p.id,
    account_id: p.accountId,
    token: p.token,
    created_at: p.at,
    expires_at: p.expiresAt,
    seen_at: p.at,
    address: p.address,
    agent: p.agent,
  }),
);

const endReplaced = query((db, p: { token: string }) =>
  db.deleteFrom('sessions').where('token', '=', p.token),
);

const forgetOldest = query((db, p: { accountId: string; kept: bigint }) =>
  db
    .deleteFrom('sessions')
    .where('account_id', '=', p.accountId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', p.accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(100)
        .offset(p.kept),
    ),
);
