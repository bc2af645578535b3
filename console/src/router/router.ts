import { useSyncExternalStore } from 'react';

/** The address is the only state: a path below `/console`, and a search that reads as the API's own. */
export interface Place {
  readonly path: string;
  readonly search: string;
}

const BASE = '/console';
const listeners = new Set<() => void>();

function read(): Place {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/';
  return { path, search: location.search.slice(1) };
}

let place = read();

function changed(): void {
  place = read();
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', changed);

/** `to` is a path below the console's, with its search. */
export function navigate(to: string, { replace = false, keepScroll = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(to));
  changed();
  if (!keepScroll) window.scrollTo(0, 0);
}

export const hrefOf = (to: string) => (to === '/' ? BASE : BASE + to);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, () => place);
}

/** Where someone wanted to go before signing in. Only a path of our own is followed. */
export function wantedPlace(search: string): string {
  const wanted = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/';
}
