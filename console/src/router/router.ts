import { publicPath } from '../base-path.ts';
import { sharedValue } from '../shared-value.ts';

/** The current location: a path below `/console`, and a query string named as in the API. */
interface RouterLocation {
  readonly path: string;
  readonly search: string;
}

const BASE = publicPath('/console');

function read(): RouterLocation {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/';
  return { path, search: location.search.slice(1) };
}

const currentLocation = sharedValue(read());
const readAgain = () => currentLocation.set(read());
window.addEventListener('popstate', readAgain);

export const useLocation = currentLocation.use;

/** `to` is a path below `/console`, with its query string. */
export function navigate(to: string, { replace = false, keepScroll = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(to));
  readAgain();
  if (!keepScroll) window.scrollTo(0, 0);
}

export const hrefOf = (to: string) => (to === '/' ? BASE : BASE + to);

/** The path requested before signing in. Only same-origin paths are followed. */
export function requestedPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

/** The place in the API reference to return to after signing in. */
export function docsReturnPath(search: string): string | undefined {
  const back = new URLSearchParams(search).get('back') ?? '';
  return /^\/docs(\/v\d)?\/?(#\w+)?$/.test(back) ? publicPath(back) : undefined;
}
