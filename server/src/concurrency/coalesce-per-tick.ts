import { setImmediate as endOfTick } from 'node:timers/promises';

/** Calls for the same thing share one piece of work until it begins, which is after the present turn of the event loop. */
export function coalescePerTick<T>(): (what: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (what, work) => {
    const known = waiting.get(what);
    if (known) return known;
    const shared = endOfTick().then(() => {
      waiting.delete(what);
      return work();
    });
    waiting.set(what, shared);
    return shared;
  };
}
