import { useSyncExternalStore } from 'react';

export interface Connection {
  readonly reachable: boolean;
  /** When the service last answered anything. */
  readonly heardAt: number;
}

let connection: Connection = { reachable: true, heardAt: Date.now() };
const listeners = new Set<() => void>();

function become(next: Connection): void {
  const changed = next.reachable !== connection.reachable;
  connection = next;
  if (changed) for (const listener of listeners) listener();
}

export const heard = () => become({ reachable: true, heardAt: Date.now() });
export const lost = () => become({ reachable: false, heardAt: connection.heardAt });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Renders again only when the service is lost or found, not at every answer. */
export function useConnection(): Connection {
  const reachable = useSyncExternalStore(subscribe, () => connection.reachable);
  return { ...connection, reachable };
}
