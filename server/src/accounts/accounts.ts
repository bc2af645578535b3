import { hash as digest } from 'node:crypto';
import { query } from '../database/query.ts';
import { ApiError, refusedAs } from '../http/errors.ts';
import type { IsKey } from '../key-format.ts';
import { startKeySession } from '../keys/console-sessions.ts';
import { findCaller } from '../keys/find-caller.ts';
import { type EventName, recordEvent } from '../stores/account-events.ts';
import { type AccountKeysOptions, accountKeys } from './account-keys.ts';
import { type AttemptLimits, attemptLimiter, defaultLimits } from './attempt-limiter.ts';
import { changePassword } from './change-password.ts';
import { closeAccount } from './close-account.ts';
import { deviceMarks } from './device-mark.ts';
import { isAddress } from './email-address.ts';
import { openAccount } from './open-account.ts';
import { type PasswordHasher, queued, scryptHasher } from './password-hasher.ts';
import { weaknessOf } from './password-rules.ts';
import type { Session, Visitor } from './session.ts';
import { hashToken, newSession, newToken, openSessions, randomId } from './sessions.ts';
import { startSession } from './start-session.ts';

export type { PasswordHasher };

export interface AccountsOptions extends AccountKeysOptions {
  readonly isKey: IsKey;
  readonly secret: string;
  readonly eraseClosed: () => Promise<void>;
  readonly newStores: bigint;
  readonly limits?: AttemptLimits | undefined;
  readonly wrapHasher?: ((hasher: PasswordHasher) => PasswordHasher) | undefined;
}

export type Accounts = ReturnType<typeof openAccounts>;

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Accounts, sessions, and the stores they open. */
export function openAccounts(options: AccountsOptions) {
  const { db, writer, isKey, secret, now, tell, newStores } = options;
  const limit = attemptLimiter({ writer, secret, limits: options.limits ?? defaultLimits, newStores, now });
  const marks = deviceMarks(secret);
  const hasherFor = queued(options.wrapHasher?.(scryptHasher) ?? scryptHasher);

  /** Finds the account whose password this is. The same work is done whether or not there is one. */
  async function check({ email, password }: Credentials, address: string, refused: EventName) {
    const [found] = isAddress(email) ? await db.all(findAccount, { email }) : [];
    const { accountId, passwordHash } = found ?? {};
    const hasher = hasherFor(address);
    if (accountId && passwordHash && (await hasher.verify({ hash: passwordHash, password }))) {
      return { accountId, passwordHash };
    }
    if (!passwordHash) await hasher.hash(password);
    const event = { what: refused, accountId: accountId ?? nobody(email), address, at: BigInt(now()) };
    await writer.apply(recordEvent, event);
    tell({ ...event, accountId: accountId ?? 'unknown' });
    throw new ApiError('invalid_credentials');
  }

  return {
    async signUp(credentials: Credentials, { address }: Visitor): Promise<void> {
      const { email, password } = credentials;
      await limit.signUp({ address, email });
      refuseWeak(password, email);
      await limit.newStore(address);
      const passwordHash = await hasherFor(address).hash(password);
      const at = BigInt(now());
      const opening = { id: randomId(), email, passwordHash, at, address };
      const { accountId, isNew } = await writer.apply(openAccount, opening);
      tell({ what: isNew ? 'signed_up' : 'sign_up_repeated', accountId, address, at });
    },

    /** Starts a session. The token is for the browser alone: only its hash is kept. */
    async signIn(credentials: Credentials, visitor: Visitor, cookie: string | undefined) {
      const { address, mark } = visitor;
      const { email } = credentials;
      const device = marks.read(mark, email);
      const attempts = await limit.signIn({ address, email, device });
      const account = await check(credentials, address, 'sign_in_failed');
      const at = BigInt(now());
      const { token, session } = newSession(visitor, cookie, at);
      await writer
        .apply(startSession, { ...session, ...account, attempts })
        .catch(refusedAs('invalid_credentials'));
      tell({ what: 'signed_in', accountId: account.accountId, address, at });
      return { token, mark: marks.make(email, device) };
    },

    /** Starts a session that may do what the key may do, in its store, and nothing to an account. */
    async openWithKey(key: string, visitor: Visitor, cookie: string | undefined): Promise<string> {
      await limit.openWithKey(visitor.address);
      const at = BigInt(now());
      const caller = await findCaller(db, isKey, key, at);
      // The key of a session opens no other: that would outlive it.
      if (!caller || caller.sessionId != null) throw new ApiError('invalid_api_key');
      const { token, session } = newSession(visitor, cookie, at);
      await writer
        .apply(startKeySession, { ...session, keyId: caller.keyId })
        .catch(refusedAs('invalid_api_key'));
      return token;
    },

    /** Gives the session a new token, which is for the browser alone. */
    async changePassword(
      session: Session,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
      address: string,
    ): Promise<string> {
      const { id: sessionId, accountId, email } = session;
      const attempts = await limit.inSession(sessionId, { address, email });
      refuseWeak(newPassword, email);
      const given = { email, password: currentPassword };
      const { passwordHash: currentHash } = await check(given, address, 'password_refused');
      if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC'))
        throw new ApiError('same_password');
      const newHash = await hasherFor(address).hash(newPassword);
      const token = newToken();
      const at = BigInt(now());
      const renewed = { sessionId, token: hashToken(token), address, at, attempts };
      await writer
        .apply(changePassword, { accountId, currentHash, newHash, ...renewed })
        .catch(refusedAs('invalid_credentials'));
      tell({ what: 'password_changed', accountId, address, at });
      return token;
    },

    async close(session: Session, password: string, address: string): Promise<void> {
      const { id, accountId, email } = session;
      await limit.inSession(id, { address, email });
      const { passwordHash } = await check({ email, password }, address, 'password_refused');
      const at = BigInt(now());
      await writer
        .apply(closeAccount, { accountId, passwordHash, at })
        .catch(refusedAs('invalid_credentials'));
      tell({ what: 'account_deleted', accountId, address, at });
      await options.eraseClosed();
    },

    ...openSessions(options),
    ...accountKeys(options),
  };

  /**
   * Stands for the account in events of an address that has none. There are 16 of them, so that what is kept of guesses
   * is bounded.
   */
  function nobody(email: string): string {
    return `nobody ${digest('sha256', `${secret}\n${email}`).slice(0, 1)}`;
  }
}

function refuseWeak(password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness !== undefined)
    throw new ApiError('weak_password', `That password is too easy to guess. ${weakness}: choose another.`);
}

const findAccount = query((db, p: { email: string }) =>
  db
    .selectFrom('accounts')
    .innerJoin('credentials', 'credentials.account_id', 'accounts.id')
    .select(['accounts.id as accountId', 'credentials.password as passwordHash'])
    .where('accounts.email', '=', p.email),
);
