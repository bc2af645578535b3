import { publicPath } from '../base-path.ts';
import { identityHeaders, reloadForOtherAccount, SESSION_PATH } from './current-account.ts';
import { isApiError, readJson, send } from './http.ts';
import { sessionEnded } from './session-ended.ts';

export type DeploymentName = 'production' | 'staging';

/** Key prefixes by deployment. */
export const keyPrefixes: Record<DeploymentName, string> = { production: 'pst_live_', staging: 'pst_test_' };

export interface Deployment {
  readonly name: DeploymentName;
  readonly origin: string;
  readonly apiBase: string;
}

/** The permissions of a key: full access or read only. */
export type KeyScope = 'full' | 'read';

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly scope: KeyScope;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** The key that replaced it when it was rolled. */
  readonly replacedBy: string | null;
}

/** A key with its plain text, which is returned once. */
export type NewKey = Pick<Key, 'id' | 'name' | 'lastFour' | 'scope' | 'createdAt' | 'expiresAt'> & {
  readonly key: string;
};

/** The planted bug of `serve --bug`; its ID only with `--reveal`. */
export interface PlantedBug {
  readonly operation: string;
  readonly id?: string;
}

export interface Session {
  /** Null if signed in with a key. */
  readonly email: string | null;
  readonly createdAt: string | null;
  /** The key used to sign in; null for an account. */
  readonly key: Pick<Key, 'id' | 'name' | 'lastFour' | 'scope' | 'expiresAt'> | null;
  readonly deployment: DeploymentName;
  readonly deployments: readonly Deployment[];
  readonly firstKey: NewKey | null;
  readonly wrongOnPurpose?: PlantedBug;
}

/** An active session of the account. */
export interface OpenSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly address: string;
  readonly userAgent: string;
  readonly current: boolean;
}

export interface AccountEvent {
  readonly id: string;
  readonly at: string;
  readonly what: string;
  readonly key: { readonly id: string; readonly lastFour: string } | null;
  readonly address: string;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

export interface NewKeyInput {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expiresAt: string | null;
}

export type Overlap = 'now' | '1h' | '24h';

/** Whether the account is being deleted: its session ends before the response arrives. */
let isDeleting = false;

async function removeAccount(password: string): Promise<void> {
  isDeleting = true;
  try {
    await call('DELETE', '/account', { password });
  } catch (error) {
    // The response was lost: if the session is gone, the account was deleted.
    if (isApiError(error) || !(await readSession('GET').then((session) => session === null, isApiError)))
      throw error;
  } finally {
    isDeleting = false;
  }
}

async function call(method: string, path: string, body?: object): Promise<Response> {
  const isSessionRequest = path === SESSION_PATH;
  try {
    return await send(publicPath(`/console/api${path}`), {
      method,
      headers: {
        ...(isSessionRequest ? {} : identityHeaders()),
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  } catch (error) {
    if (!isSessionRequest && isApiError(error) && error.code === 'not_signed_in') {
      await reloadForOtherAccount(await readSession('GET').catch(() => null));
      if (!isDeleting) sessionEnded.set(true);
    }
    throw error;
  }
}

/** Null if not signed in. */
async function readSession(method: 'GET' | 'POST'): Promise<Session | null> {
  const response = await call(method, SESSION_PATH);
  return response.status === 204 ? null : readJson<Session>(response);
}

async function page<T>(path: string, cursor: string | null = null): Promise<Page<T>> {
  return readJson<Page<T>>(await call('GET', cursor === null ? path : `${path}&cursor=${cursor}`));
}

/** Whether the email or password is wrong; the service does not say which. */
export const isWrongCredentials = (error: unknown) =>
  isApiError(error) && error.code === 'invalid_credentials';

export const account = {
  signUp: (email: string, password: string) => call('POST', '/sign-up', { email, password }),
  signIn: (email: string, password: string) => call('POST', '/sign-in', { email, password }),
  openWithKey: (key: string) => call('POST', '/open-with-key', { key }),
  signOut: () => call('POST', '/sign-out'),
  signOutEverywhere: () => call('POST', '/sign-out-everywhere'),
  changePassword: (currentPassword: string, newPassword: string) =>
    call('POST', '/change-password', { currentPassword, newPassword }),
  remove: removeAccount,
  session: () => readSession('POST'),
  token: async () => readJson<{ key: string; expiresAt: string }>(await call('POST', '/token')),
  workingKeys: async () => (await page<Key>('/keys?state=working&limit=1000')).data,
  pastKeys: (cursor: string | null) => page<Key>('/keys?state=past', cursor),
  sessions: async () => (await page<OpenSession>('/sessions')).data,
  endSession: (id: string) => call('DELETE', `/sessions/${encodeURIComponent(id)}`),
  events: (cursor: string | null) => page<AccountEvent>('/events?limit=20', cursor),
  createKey: async (input: NewKeyInput) => readJson<NewKey>(await call('POST', '/keys', input)),
  rollKey: async (id: string, overlap: Overlap) =>
    readJson<NewKey>(await call('POST', `/keys/${encodeURIComponent(id)}/roll`, { overlap })),
  revokeKey: (id: string) => call('DELETE', `/keys/${encodeURIComponent(id)}`),
};
