import { useSyncExternalStore } from 'react';
import type { NewKey } from './account.ts';

/** The key made at sign-up. The service tells it once, so it is kept here until it was seen. */
let firstKey: NewKey | undefined;
const listeners = new Set<() => void>();

export function keepFirstKey(key: NewKey | undefined): void {
  firstKey = key;
  for (const listener of listeners) listener();
}

export function useFirstKey(): NewKey | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => firstKey,
  );
}
