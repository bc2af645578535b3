import { hash as digest, randomBytes } from 'node:crypto';
import { isAddress } from '../../accounts/email-address.ts';
import { isWeakPassword } from '../../accounts/password-rules.ts';
import { AccountError, refusedAs } from './account-error.ts';
import { type AccountKeysOptions, accountKeys } from './account-keys.ts';
import { type AttemptLimits, attemptLimiter, defaultLimits } from './attempt-limiter.ts';
import { type Auth, openAuth } from './auth.ts';
import type { Session } from './session.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const SESSION_MS = 7 * DAY_MS;
/** A session in use is prolonged once a day. */
const RENEWAL_MS = DAY_MS;

export type PasswordHasher = Pick<Auth['password'], 'hash' | 'verify'>;

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
  let opening: Promise<Auth & { hasher: PasswordHasher }> | undefined;

  function auth() {
    opening ??= openAuth({ db, writer, secret }).then((context) =>
      Object.assign(context, { hasher: wrapHasher(context.password) }),
    );
    return opening;
  }

  /** The account whose password this is. The same work is done whether or not there is such an account. */
  async function check({ email, password }: Credentials) {
    const { internalAdapter, hasher } = await auth();
    const found = isAddress(email)
      ? await internalAdapter.findUserByEmail(email, { includeAccounts: true })
      : null;
    const passwordHash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password;
    if (found && passwordHash && (await hasher.verify({ hash: passwordHash, password }))) {
      return { accountId: found.user.id, passwordHash };
    }
    if (!passwordHash) await hasher.hash(password);
    throw new AccountError('invalid_credentials');
  }

  return {
    /** Loads what the first sign-in would otherwise wait for. */
    warmUp: () => auth().then(() => {}),

    async signUp(credentials: Credentials, address: string): Promise<void> {
      const { email, password } = credentials;
      if (isWeakPassword(password, email)) throw new AccountError('weak_password');
      await limit({ action: 'sign-up', address, email }, BigInt(now()));
      const { hasher } = await auth();
      const passwordHash = await hasher.hash(password);
      const time = iso(now());
      await writer.apply('openAccount', {
        id: randomId(),
        credentialId: randomId(),
        email,
        passwordHash,
        time,
        at: BigInt(now()),
      });
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
          time: iso(now()),
          expires: iso(now() + SESSION_MS),
          at: BigInt(now()),
        })
        .catch(refusedAs('invalid_credentials'));
      return token;
    },

    async findSession(cookie: string): Promise<Session | undefined> {
      const { internalAdapter } = await auth();
      const token = hashToken(cookie);
      const found = await internalAdapter.findSession(token);
      if (!found || found.session.expiresAt.getTime() <= now()) return undefined;
      const { session, user } = found;
      const renewed = session.expiresAt.getTime() - now() < SESSION_MS - RENEWAL_MS;
      if (renewed) await internalAdapter.updateSession(token, { expiresAt: new Date(now() + SESSION_MS) });
      return {
        id: session.id,
        accountId: user.id,
        email: user.email,
        accountCreatedAt: user.createdAt,
        renewed,
      };
    },

    async signOut(cookie: string): Promise<void> {
      const { internalAdapter } = await auth();
      await internalAdapter.deleteSession(hashToken(cookie));
    },

    async signOutEverywhere({ accountId }: Session): Promise<void> {
      const { internalAdapter } = await auth();
      await internalAdapter.deleteUserSessions(accountId);
    },

    async changePassword(
      { id: sessionId, accountId, email }: Session,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
      address: string,
    ): Promise<void> {
      if (isWeakPassword(newPassword, email)) throw new AccountError('weak_password');
      await limit({ action: 'sign-in', address, email }, BigInt(now()));
      const { passwordHash: currentHash } = await check({ email, password: currentPassword });
      const newHash = await (await auth()).hasher.hash(newPassword);
      const change = { accountId, currentHash, newHash, sessionId, time: iso(now()), at: BigInt(now()) };
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

function iso(time: number): string {
  return new Date(time).toISOString();
}
