import { hash as digest, randomBytes } from 'node:crypto';
import { isAddress } from '../../accounts/email-address.ts';
import { findAccount } from '../../accounts/find-account.ts';
import { findSession } from '../../accounts/find-session.ts';
import { type PasswordHasher, queued, scryptHasher } from '../../accounts/password-hasher.ts';
import { isWeakPassword } from '../../accounts/password-rules.ts';
import { AccountError, refusedAs } from './account-error.ts';
import { type AccountKeysOptions, accountKeys } from './account-keys.ts';
import { type AttemptLimits, attemptLimiter, defaultLimits } from './attempt-limiter.ts';
import type { Session } from './session.ts';

export type { PasswordHasher };

const DAY_MS = 24 * 60 * 60 * 1000;
export const SESSION_MS = 7 * DAY_MS;
/** A session in use is prolonged once a day. */
const RENEWAL_MS = DAY_MS;

export interface AccountsOptions extends AccountKeysOptions {
  readonly secret: string;
  /** Erases what is left of closed accounts. */
  readonly eraseClosed: () => Promise<void>;
  readonly limits?: AttemptLimits | undefined;
  /** Stands before the hashing of passwords. */
  readonly wrapHasher?: ((hasher: PasswordHasher) => PasswordHasher) | undefined;
}

export type Accounts = ReturnType<typeof openAccounts>;

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Accounts, sessions, and the stores they open. */
export function openAccounts(options: AccountsOptions) {
  const { db, writer, secret, now, eraseClosed, wrapHasher = (hasher) => hasher } = options;
  const limit = attemptLimiter({ writer, secret, limits: options.limits ?? defaultLimits });
  const hasher = queued(wrapHasher(scryptHasher));

  /** The account whose password this is. The same work is done whether or not there is such an account. */
  async function check({ email, password }: Credentials) {
    const [found] = isAddress(email) ? await db.all(findAccount, { email }) : [];
    const { accountId, passwordHash } = found ?? {};
    if (accountId && passwordHash && (await hasher.verify({ hash: passwordHash, password }))) {
      return { accountId, passwordHash };
    }
    if (!passwordHash) await hasher.hash(password);
    throw new AccountError('invalid_credentials');
  }

  return {
    async signUp(credentials: Credentials, address: string): Promise<void> {
      const { email, password } = credentials;
      await limit({ action: 'sign-up', address, email }, BigInt(now()));
      if (isWeakPassword(password, email)) throw new AccountError('weak_password');
      const passwordHash = await hasher.hash(password);
      await writer.apply('openAccount', { id: randomId(), email, passwordHash, at: BigInt(now()) });
    },

    /** Starts a session; what is returned is for the browser alone, and kept here only as a hash. */
    async signIn(credentials: Credentials, address: string, cookie: string | undefined): Promise<string> {
      await limit({ action: 'sign-in', address, email: credentials.email }, BigInt(now()));
      const { accountId, passwordHash } = await check(credentials);
      const token = randomBytes(32).toString('base64url');
      await writer
        .apply('startSession', {
          id: randomId(),
          accountId,
          passwordHash,
          token: hashToken(token),
          replaces: cookie === undefined ? null : hashToken(cookie),
          at: BigInt(now()),
          expiresAt: BigInt(now() + SESSION_MS),
        })
        .catch(refusedAs('invalid_credentials'));
      return token;
    },

    async findSession(cookie: string): Promise<Session | undefined> {
      const token = hashToken(cookie);
      const [found] = await db.all(findSession, { token });
      if (!found) return undefined;
      const { expiresAt, ...session } = found;
      const left = Number(expiresAt) - now();
      if (left <= 0) return undefined;
      const renewed = left < SESSION_MS - RENEWAL_MS;
      if (renewed) await writer.apply('renewSession', { token, expiresAt: BigInt(now() + SESSION_MS) });
      return { ...session, renewed };
    },

    async signOut(cookie: string): Promise<void> {
      await writer.apply('endSession', { token: hashToken(cookie) });
    },

    async signOutEverywhere({ accountId }: Session): Promise<void> {
      await writer.apply('endAllSessions', { accountId });
    },

    async changePassword(
      { id: sessionId, accountId, email }: Session,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
      address: string,
    ): Promise<void> {
      await limit({ action: 'sign-in', address, email }, BigInt(now()));
      if (isWeakPassword(newPassword, email)) throw new AccountError('weak_password');
      const { passwordHash: currentHash } = await check({ email, password: currentPassword });
      const newHash = await hasher.hash(newPassword);
      const change = { accountId, currentHash, newHash, sessionId };
      await writer.apply('changePassword', change).catch(refusedAs('invalid_credentials'));
    },

    /** Deletes the account and everything of its store. */
    async close({ accountId, email }: Session, password: string, address: string): Promise<void> {
      await limit({ action: 'sign-in', address, email }, BigInt(now()));
      const { passwordHash } = await check({ email, password });
      await writer
        .apply('closeAccount', { accountId, passwordHash, at: BigInt(now()) })
        .catch(refusedAs('invalid_credentials'));
      await eraseClosed();
    },

    ...accountKeys(options),
  };
}

/** All that is kept of what a browser holds, and what its session is looked up by. */
function hashToken(token: string): string {
  return digest('sha256', token);
}

function randomId(): string {
  return randomBytes(16).toString('base64url');
}
