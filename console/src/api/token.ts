import { account, type Session } from './console-api.ts';

/** The short-lived key with which the console calls the API. It lives in this variable and nowhere else. */
let token: Promise<string> | undefined;
let renewAt = Number.POSITIVE_INFINITY;

const EARLY_MS = 60_000;

/** Whom the page shows, and whether that is read since the last key was made. */
let shown: { readonly who: string; readonly isNew: boolean } | undefined;

const whoIn = ({ email, key }: Pick<Session, 'email' | 'key'>) => email ?? key?.id ?? '';

/** Remembers whom the page shows: its keys are theirs. */
export function pageShows(session: Pick<Session, 'email' | 'key'> | null): void {
  shown = session ? { who: whoIn(session), isNew: true } : undefined;
}

/** Everyone who asks at the same time gets the same key. */
export function currentKey(): Promise<string> {
  if (Date.now() >= renewAt) forgetKey();
  token ??= mint();
  return token;
}

async function mint(): Promise<string> {
  try {
    const { key, expiresAt } = await account.token();
    await stayWithOne();
    // A wrong clock must not make a new key for every request.
    renewAt = Math.max(Date.parse(expiresAt) - EARLY_MS, Date.now() + EARLY_MS);
    return key;
  } catch (error) {
    forgetKey();
    throw error;
  }
}

/** Somebody else may have signed in on another tab: nothing of this page goes to their store. */
async function stayWithOne(): Promise<void> {
  if (!shown) return;
  const { who, isNew } = shown;
  shown = { who, isNew: false };
  const session = isNew ? null : await account.session();
  if (!session || whoIn(session) === who) return;
  location.reload();
  await new Promise(() => {});
}

export function forgetKey(): void {
  token = undefined;
  renewAt = Number.POSITIVE_INFINITY;
}

/** Has a key replaced that was refused: the first of several refused requests does so for all of them. */
export function refuseKey(used: Promise<string>): void {
  if (used === token) forgetKey();
}
