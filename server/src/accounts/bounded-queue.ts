import { Unavailable } from '../database/engine.ts';

interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
}

/** Runs work in the order it comes, so much at once; refuses at once what would be one too many to wait. */
export function boundedQueue({ running, waiting }: QueueLimits) {
  const starts: Array<() => void> = [];
  let free = running;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else if (starts.length < waiting) await new Promise<void>((start) => starts.push(start));
    else throw new Unavailable('too much of this work is waiting');
    try {
      return await work();
    } finally {
      const next = starts.shift();
      if (next) next();
      else free++;
    }
  };
}
