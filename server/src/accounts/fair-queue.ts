import { Unavailable } from '../database/engine.ts';

interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/**
 * Runs `running` pieces of work at once. The others wait, and begin in turn for each who asked; beyond `waiting` of
 * them, the last of whoever has most is refused.
 */
export function fairQueue({ running, waiting }: QueueLimits) {
  /** In the order in which they are served next. */
  const lines = new Map<string, Waiting[]>();
  let free = running;

  const queue = (who: string) => {
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>();
    const line = lines.get(who) ?? [];
    line.push({ start, refuse });
    lines.set(who, line);
    const all = [...lines.values()];
    if (all.reduce((count, { length }) => count + length, 0) <= waiting) return promise;
    const longest = all.reduce((most, one) => (one.length > most.length ? one : most), line);
    longest.pop()?.refuse(new Unavailable('too much of this work is waiting'));
    if (line.length === 0) lines.delete(who);
    return promise;
  };

  const startNext = () => {
    const [next] = lines;
    if (!next) {
      free++;
      return;
    }
    const [who, [first, ...others]] = next;
    lines.delete(who);
    if (others.length > 0) lines.set(who, others);
    first?.start();
  };

  return async <T>(who: string, work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await queue(who);
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}
