import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Calls for the same thing share one piece of work until it begins, which is after the present turn of the event loop. */
export function onceATurn<T>(work: (what: string) => Promise<T>): (what: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (what) => {
    const known = waiting.get(what);
    if (known) return known;
    const shared = endOfTurn().then(() => {
      waiting.delete(what);
      return work(what);
    });
    waiting.set(what, shared);
    return shared;
  };
}
