const KEPT = 'petstore-docs-key';
const EARLY_MS = 60_000;

const input = document.getElementById('key') as HTMLInputElement;
const hint = document.getElementById('key-hint') as HTMLElement;

/** The short-lived key of the session, where somebody is signed in; it lives in this variable and nowhere else. */
let minted: { readonly key: string; readonly renewAt: number } | undefined;
let isSignedIn = false;

/** What is tried out is sent with this; empty where there is none yet. */
export async function currentKey(): Promise<string> {
  const given = input.value.trim();
  if (given !== '' && given !== minted?.key) return given;
  if (isSignedIn && (minted === undefined || Date.now() >= minted.renewAt)) await mint();
  return minted?.key ?? '';
}

async function mint(): Promise<void> {
  const answer = await fetch('/console/api/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) return;
  const { key, expiresAt } = (await answer.json()) as { key: string; expiresAt: string };
  const isShown = input.value === '' || input.value === minted?.key;
  minted = { key, renewAt: Math.max(Date.parse(expiresAt) - EARLY_MS, Date.now() + EARLY_MS) };
  if (isShown) input.value = key;
}

/** Fills in the session's key, or the one that was typed in here before, in this tab. */
export async function fillInKey(): Promise<void> {
  input.form?.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('input', () => {
    keep(input.value.trim());
    hint.textContent = input.value.trim() === '' ? '' : 'Used for what you try out here.';
  });
  input.value = kept();
  const answer = await fetch('/console/api/session');
  if (!answer.ok) {
    if (input.value === '') hint.textContent = 'Sign in, and it is filled in.';
    return;
  }
  const { email, key } = (await answer.json()) as { email: string | null; key: { lastFour: string } | null };
  isSignedIn = true;
  const account = document.getElementById('account') as HTMLAnchorElement;
  account.textContent = email ?? `key …${key?.lastFour}`;
  account.href = '/console/account';
  if (input.value !== '') return;
  await mint();
  hint.textContent = 'Of your session: short-lived, renewed by itself.';
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

function keep(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, key);
  } catch {
    // Without storage it is typed in again on the next page.
  }
}
