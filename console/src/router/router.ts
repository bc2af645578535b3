import { sharedValue } from '../watched-value.ts';

/** The address is the only state: a path below `/console`, and a search that reads as the API's own. */
interface Place {
  readonly path: string;
  readonly search: string;
}

const BASE = '/console';

function read(): Place {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/';
  return { path, search: location.search.slice(1) };
}

const place = sharedValue(read());
const readAgain = () => place.set(read());
window.addEventListener('popstate', readAgain);

export const usePlace = place.use;

/** `to` is a path below the console's, with its search. */
export function navigate(to: string, { replace = false, keepScroll = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(to));
  readAgain();
  if (!keepScroll) window.scrollTo(0, 0);
}

export const hrefOf = (to: string) => (to === '/' ? BASE : BASE + to);

/** The place someone asked for before signing in. Only a path of our own is followed. */
export function wantedPlace(search: string): string {
  const wanted = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/';
}

/** The operation of the API reference from which someone came to sign in. */
export function placeInDocs(search: string): string | undefined {
  const back = new URLSearchParams(search).get('back') ?? '';
  return /^\/docs(\/v\d)?\/?(#\w+)?$/.test(back) ? back : undefined;
}
