import { setImmediate as endOfTick } from 'node:timers/promises';

/** Calls with the same key in one event-loop tick share one call, which starts after the tick. */
export function coalescePerTick<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key, work) => {
    const queued = waiting.get(key);
    if (queued) return queued;
    const shared = endOfTick().then(() => {
      waiting.delete(key);
      return work();
    });
    waiting.set(key, shared);
    return shared;
  };
}
