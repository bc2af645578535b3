import { Problem, readJson, send } from './http.ts';
import type { Id } from './json.ts';
import { sessionEnded } from './session-ended.ts';

export type DeploymentName = 'production' | 'staging';

export interface Deployment {
  readonly name: DeploymentName;
  readonly origin: string;
  readonly apiBase: string;
}

export interface Key {
  readonly id: Id;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** A key with its plain text, which is given once. */
export type NewKey = Pick<Key, 'id' | 'name' | 'lastFour' | 'createdAt' | 'expiresAt'> & {
  readonly key: string;
};

export interface Session {
  readonly email: string;
  readonly createdAt: string;
  readonly deployment: DeploymentName;
  readonly deployments: readonly Deployment[];
  readonly firstKey: NewKey | null;
}

export type Overlap = 'now' | '1h' | '24h';

async function call(method: string, path: string, body?: object): Promise<Response> {
  try {
    return await send(`/console/api${path}`, {
      method,
      ...(method === 'GET'
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
    });
  } catch (error) {
    const signedOut = error instanceof Problem && error.code === 'not_signed_in';
    if (signedOut && path !== '/session') sessionEnded.set(true);
    throw error;
  }
}

/** Whether the address or the password is wrong: the service does not say which. */
export const wrongCredentials = (error: unknown) =>
  error instanceof Problem && error.code === 'invalid_credentials';

export const account = {
  signUp: (email: string, password: string) => call('POST', '/sign-up', { email, password }),
  signIn: (email: string, password: string) => call('POST', '/sign-in', { email, password }),
  signOut: () => call('POST', '/sign-out'),
  signOutEverywhere: () => call('POST', '/sign-out-everywhere'),
  changePassword: (currentPassword: string, newPassword: string) =>
    call('POST', '/change-password', { currentPassword, newPassword }),
  remove: (password: string) => call('DELETE', '/account', { password }),
  session: async () => readJson<Session>(await call('GET', '/session')),
  token: async () => readJson<{ key: string; expiresAt: string }>(await call('POST', '/token')),
  keys: async () => (await readJson<{ data: Key[] }>(await call('GET', '/keys'))).data,
  createKey: async (name: string, expiresAt?: string) =>
    readJson<NewKey>(await call('POST', '/keys', { name, expiresAt })),
  rollKey: async (id: Id, overlap: Overlap) =>
    readJson<NewKey>(await call('POST', `/keys/${encodeURIComponent(id)}/roll`, { overlap })),
  revokeKey: (id: Id) => call('DELETE', `/keys/${encodeURIComponent(id)}`),
};
