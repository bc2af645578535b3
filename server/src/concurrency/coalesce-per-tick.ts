import { setImmediate as endOfTick } from 'node:timers/promises';

/** Calls with the same key in one event-loop tick share one call, which starts after the tick. */
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
