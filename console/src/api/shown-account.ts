/** What a session says about whose it is: an account's, or a key's. */
interface Who {
  readonly email: string | null;
  readonly key: { readonly id: string } | null;
}

const whoIn = ({ email, key }: Who) => email ?? key?.id ?? '';

/** Whom the page shows; undefined where it shows nobody. */
let shown: string | undefined;

export function pageShows(session: Who | null): void {
  shown = session ? whoIn(session) : undefined;
}

/** Tells the service whom the page shows: where the browser is signed in as somebody else by then, it does nothing. */
export const shownHeaders = (): Record<string, string> =>
  shown === undefined ? {} : { 'x-signed-in-as': shown };

/** Where to ask who is signed in; the first key is left to the page that shows it. */
export const WHO = '/session?firstKey=later';

/** Loads the page again where it is somebody else's by now: they signed in on another tab. */
export async function giveWayTo(session: Who | null): Promise<void> {
  if (!session || shown === undefined || whoIn(session) === shown) return;
  location.reload();
  await new Promise(() => {});
}
