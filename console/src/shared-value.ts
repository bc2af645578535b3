import { useSyncExternalStore } from 'react';

/** Shared state outside React. */
export interface SharedValue<T> {
  get(): T;
  /** Sets the value and re-renders the components that use it. */
  set(next: T): void;
  /** Hook that reads the value. */
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
    // Prerendered pages have the initial value; it changes after hydration.
    use: () => useSyncExternalStore(subscribe, get, () => initial),
  };
}
