import type { Session } from '../api/console-api.ts';
import { identityHeaders, reloadForOtherAccount, SESSION, setShownIdentity } from '../api/current-account.ts';
import { at } from '../base-path.ts';
import { sharedValue } from '../watched-value.ts';

const KEPT = 'petstore-docs-key';
const EARLY_MS = 60_000;

/** A key entered by the user; stored for this tab. */
export const typedKey = sharedValue('');
// Set after creation: the initial value is what the prerendered forms show.
typedKey.set(kept());

/** The signed-in identity: undefined while loading, null if signed out. */
export const signedInAs = sharedValue<string | null | undefined>(undefined);

/** The session's short-lived key. Kept in memory only. */
const minted = sharedValue<{ readonly key: string; readonly renewAt: number } | undefined>(undefined);

/** The current key without minting one; empty if there is none. */
export function useStaticKey(): string {
  const own = minted.use()?.key ?? '';
  return typedKey.use() || own;
}

/** The key to send, minted if needed; empty if there is none. */
export async function currentKey(): Promise<string> {
  if (typedKey.get() !== '') return typedKey.get();
  if (signedInAs.get() && Date.now() >= (minted.get()?.renewAt ?? 0)) await mint();
  return minted.get()?.key ?? '';
}

/** Discards a rejected session key. Returns whether a retry with a new key makes sense. */
export function rejectKey(): boolean {
  const isOfSession = typedKey.get() === '' && minted.get() !== undefined;
  if (isOfSession) minted.set(undefined);
  return isOfSession;
}

async function mint(): Promise<void> {
  const response = await fetch(at('/console/api/token'), {
    method: 'POST',
    headers: { ...identityHeaders(), 'content-type': 'application/json' },
    body: '{}',
  });
  if (response.status === 401) await reloadForOtherAccount(await whoIsSignedIn());
  if (!response.ok) return;
  const { key, expiresAt } = (await response.json()) as { key: string; expiresAt: string };
  minted.set({ key, renewAt: Math.max(Date.parse(expiresAt) - EARLY_MS, Date.now() + EARLY_MS) });
}

/** Reads the session and mints a key. Returns whether there is a key to send. */
export async function readSession(): Promise<boolean> {
  const session = await whoIsSignedIn();
  setShownIdentity(session);
  signedInAs.set(session && (session.email ?? `API key …${session.key?.lastFour}`));
  return (await currentKey()) !== '';
}

async function whoIsSignedIn(): Promise<Pick<Session, 'email' | 'key'> | null> {
  const response = await fetch(at(`/console/api${SESSION}`));
  return response.status === 200 ? response.json() : null;
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

export function typeKey(text: string): void {
  const key = text.trim();
  typedKey.set(key);
  try {
    if (key === '') sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, key);
  } catch {
    // Without storage, it must be entered again on the next page.
  }
}
