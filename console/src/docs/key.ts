import type { Session } from '../api/console-api.ts';
import {
  identityHeaders,
  reloadForOtherAccount,
  SESSION_PATH,
  setShownIdentity,
} from '../api/current-account.ts';
import { publicPath } from '../base-path.ts';
import { sharedValue } from '../shared-value.ts';

const STORAGE_KEY = 'petstore-docs-key';
const RENEW_MARGIN_MS = 60_000;

/** A key entered by the user; stored for this tab. */
export const typedKey = sharedValue('');
// Set after creation: the initial value is what the prerendered forms show.
typedKey.set(readStoredKey());

/** The signed-in identity: undefined while loading, null if signed out. */
export const signedInAs = sharedValue<string | null | undefined>(undefined);

/** The session's short-lived key. Kept in memory only. */
const sessionKey = sharedValue<{ readonly key: string; readonly renewAt: number } | undefined>(undefined);

/** The entered key or the session's last key, without minting one; empty if there is none. */
export function useAvailableKey(): string {
  const own = sessionKey.use()?.key ?? '';
  return typedKey.use() || own;
}

/** The key to send, minted if needed; empty if there is none. */
export async function currentKey(): Promise<string> {
  if (typedKey.get() !== '') return typedKey.get();
  if (signedInAs.get() && Date.now() >= (sessionKey.get()?.renewAt ?? 0)) await mint();
  return sessionKey.get()?.key ?? '';
}

/** Discards a rejected session key. Returns whether a retry with a new key makes sense. */
export function discardRejectedKey(): boolean {
  const isSessionKey = typedKey.get() === '' && sessionKey.get() !== undefined;
  if (isSessionKey) sessionKey.set(undefined);
  return isSessionKey;
}

async function mint(): Promise<void> {
  const response = await fetch(publicPath('/console/api/token'), {
    method: 'POST',
    headers: { ...identityHeaders(), 'content-type': 'application/json' },
    body: '{}',
  });
  if (response.status === 401) await reloadForOtherAccount(await whoIsSignedIn());
  if (!response.ok) return;
  const { key, expiresAt } = (await response.json()) as { key: string; expiresAt: string };
  sessionKey.set({
    key,
    renewAt: Math.max(Date.parse(expiresAt) - RENEW_MARGIN_MS, Date.now() + RENEW_MARGIN_MS),
  });
}

/** Reads the session and mints a key. Returns whether there is a key to send. */
export async function readSession(): Promise<boolean> {
  const session = await whoIsSignedIn();
  setShownIdentity(session);
  signedInAs.set(session && (session.email ?? `API key …${session.key?.lastFour}`));
  return (await currentKey()) !== '';
}

async function whoIsSignedIn(): Promise<Pick<Session, 'email' | 'key'> | null> {
  const response = await fetch(publicPath(`/console/api${SESSION_PATH}`));
  return response.status === 200 ? response.json() : null;
}

function readStoredKey(): string {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? '';
  } catch {
    return '';
  }
}

export function setTypedKey(text: string): void {
  const key = text.trim();
  typedKey.set(key);
  try {
    if (key === '') sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, key);
  } catch {
    // Without storage, it must be entered again on the next page.
  }
}
