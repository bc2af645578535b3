import { useSyncExternalStore } from 'react';

/** Whether the session of this page ended while someone was still looking at it. */
let ended = false;
const listeners = new Set<() => void>();

function become(next: boolean): void {
  if (ended === next) return;
  ended = next;
  for (const listener of listeners) listener();
}

export const sessionEnded = () => become(true);
export const sessionResumed = () => become(false);
export const hasSessionEnded = () => ended;

export function useSessionEnded(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, hasSessionEnded);
}
