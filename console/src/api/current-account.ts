/** The identity of a session: an account or a key. */
interface SessionIdentity {
  readonly email: string | null;
  readonly key: { readonly id: string } | null;
}

const identityOf = ({ email, key }: SessionIdentity) => email ?? key?.id ?? '';

/** The identity that the page shows; undefined if signed out. */
let shownIdentity: string | undefined;

export function setShownIdentity(session: SessionIdentity | null): void {
  shownIdentity = session ? identityOf(session) : undefined;
}

/** Sends the identity that the page shows: the service rejects the request if the browser is now signed in as another identity. */
export const identityHeaders = (): Record<string, string> =>
  shownIdentity === undefined ? {} : { 'x-signed-in-as': shownIdentity };

/** GET reads the session. POST also creates the account's first key; only the console uses it, because it can show the key. */
export const SESSION_PATH = '/session';

/** Reloads the page if another account signed in on another tab. */
export async function reloadForOtherAccount(session: SessionIdentity | null): Promise<void> {
  if (!session || shownIdentity === undefined || identityOf(session) === shownIdentity) return;
  location.reload();
  await new Promise(() => {});
}
