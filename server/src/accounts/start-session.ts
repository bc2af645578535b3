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
  /** Where the browser is, and what it calls itself. */
  readonly address?: string;
  readonly agent?: string;
  readonly attempts?: RightTry;
}

/** Starts a session, unless the account was deleted or its password changed since the password was checked. */
export const startSession = verb('startSession', async (tx, session: StartSession): Promise<void> => {
  const { replaces, attempts, address = '', agent = '', ...given } = session;
  const started = { ...given, address, agent };
  const { accountId, at } = started;
  await lockAccount(tx, accountId);
  const [inserted] = await tx.all(insertSession, started);
  if (!inserted) throw new Refusal('not_found');
  if (replaces !== null) await tx.all(endReplaced, { token: replaces });
  await tx.all(forgetOldest, { accountId, kept: MOST_SESSIONS });
  await saveEvent(tx, { accountId, address, what: 'signed_in', at });
  if (attempts) await settleAttempts(tx, attempts);
});

/** Of one account; the oldest end when there are more. */
const MOST_SESSIONS = 100n;

type StartedSession = Required<Omit<StartSession, 'replaces' | 'attempts'>>;

/** One statement both looks at the password and inserts, so that no change of it comes in between. */
const insertSession = query((db, p: StartedSession, engine) =>
  db
    .insertInto('sessions')
    .columns(['id', 'account_id', 'token', 'created_at', 'expires_at', 'seen_at', 'address', 'agent'])
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
            s.cast<bigint>(s.val(p.at), 'bigint').as('seen_at'),
            s.cast<string>(s.val(p.address), 'text').as('address'),
            s.cast<string>(s.val(p.agent), 'text').as('agent'),
          ])
          .where('credentials.account_id', '=', p.accountId)
          .where('credentials.password', '=', p.passwordHash),
      ),
    )
    .returning('id'),
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
