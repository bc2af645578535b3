import { useSyncExternalStore } from 'react';

/** A value outside of React that components share. */
export interface SharedValue<T> {
  get(): T;
  /** Sets another value and renders again whatever uses it. */
  set(next: T): void;
  /** The hook that reads it. */
  use(): T;
}

export function sharedValue<T>(initial: T): SharedValue<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
