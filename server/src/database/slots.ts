import { Unavailable } from './engine.ts';

const LONGEST_WAIT_MS = 5_000;

interface Line {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** Lets a number of pieces of costly work be under way for each, such as a store. The next ones wait, but not for ever. */
export class Slots {
  readonly #mostOfEach: number;
  readonly #lines = new Map<bigint, Line>();

  constructor(mostOfEach: number) {
    this.#mostOfEach = mostOfEach;
  }

  count(who: bigint): { readonly taken: number; readonly waiting: number } {
    const { taken = 0, waiting } = this.#lines.get(who) ?? {};
    return { taken, waiting: waiting?.size ?? 0 };
  }

  async take(who: bigint): Promise<Disposable> {
    const line = this.#lines.get(who) ?? { taken: 0, waiting: new Set() };
    this.#lines.set(who, line);
    if (line.taken < this.#mostOfEach) line.taken++;
    else await turnIn(line.waiting);
    const slot = new DisposableStack();
    slot.defer(() => {
      const [next] = line.waiting;
      // Whoever waits takes over the slot, which stays taken.
      if (next) next();
      else if (--line.taken === 0) this.#lines.delete(who);
    });
    return slot;
  }
}

function turnIn(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      clearTimeout(late);
      waiting.delete(next);
      resolve();
    };
    const late = setTimeout(() => {
      waiting.delete(next);
      reject(new Unavailable('too much work of this kind is under way'));
    }, LONGEST_WAIT_MS);
    waiting.add(next);
  });
}
