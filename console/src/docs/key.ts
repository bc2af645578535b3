import { sharedValue } from '../watched-value.ts';

const KEPT = 'petstore-docs-key';
const EARLY_MS = 60_000;

/** A key that somebody typed in here; it stays for this tab. */
export const typedKey = sharedValue(kept());

/** Who is signed in: undefined while nobody knows, null for nobody. */
export const signedInAs = sharedValue<string | null | undefined>(undefined);

/** The short-lived key of the session. It lives in this variable and nowhere else. */
const minted = sharedValue<{ readonly key: string; readonly renewAt: number } | undefined>(undefined);

/** The key that is sent, as it is known without asking for another; empty where there is none. */
export function useKnownKey(): string {
  const own = minted.use()?.key ?? '';
  return typedKey.use() || own;
}

/** The key to send with; empty where there is none. */
export async function currentKey(): Promise<string> {
  if (typedKey.get() !== '') return typedKey.get();
  if (signedInAs.get() && Date.now() >= (minted.get()?.renewAt ?? 0)) await mint();
  return minted.get()?.key ?? '';
}

/** Gives up the key of the session where it was refused; whether another may do. */
export function refuseKey(): boolean {
  const isOfSession = typedKey.get() === '' && minted.get() !== undefined;
  if (isOfSession) minted.set(undefined);
  return isOfSession;
}

async function mint(): Promise<void> {
  const answer = await fetch('/console/api/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) return;
  const { key, expiresAt } = (await answer.json()) as { key: string; expiresAt: string };
  minted.set({ key, renewAt: Math.max(Date.parse(expiresAt) - EARLY_MS, Date.now() + EARLY_MS) });
}

/** Learns who is signed in, and gets a key of their session; whether there is a key to send with. */
export async function readSession(): Promise<boolean> {
  const answer = await fetch('/console/api/session');
  if (answer.status !== 200) {
    signedInAs.set(null);
    return typedKey.get() !== '';
  }
  const { email, key } = (await answer.json()) as { email: string | null; key: { lastFour: string } | null };
  signedInAs.set(email ?? `key …${key?.lastFour}`);
  return (await currentKey()) !== '';
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
    // Without storage it is typed in again on the next page.
  }
}
