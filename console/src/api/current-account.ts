/** The identity of a session: an account or a key. */
interface Who {
  readonly email: string | null;
  readonly key: { readonly id: string } | null;
}

const whoIn = ({ email, key }: Who) => email ?? key?.id ?? '';

/** The identity that the page shows; undefined if signed out. */
let shown: string | undefined;

export function setShownIdentity(session: Who | null): void {
  shown = session ? whoIn(session) : undefined;
}

/** Sends the identity that the page shows: the service rejects the request if the browser's session is another's. */
export const identityHeaders = (): Record<string, string> =>
  shown === undefined ? {} : { 'x-signed-in-as': shown };

/** Reads the session. POST also creates the account's first key, which only the console's pages show. */
export const SESSION = '/session';

/** Reloads the page if another account signed in on another tab. */
export async function reloadForOtherAccount(session: Who | null): Promise<void> {
  if (!session || shown === undefined || whoIn(session) === shown) return;
  location.reload();
  await new Promise(() => {});
}
