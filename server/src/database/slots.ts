import { Unavailable } from './engine.ts';

const LONGEST_WAIT_MS = 5_000;

/** Lets a number of holders through at a time; the others wait their turn, but not for ever. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await this.#turn();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#release();
    };
  }

  #turn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => {
      this.#waiting.delete(next);
      reject(new Unavailable('too many large lists are being read'));
    }, LONGEST_WAIT_MS);
    const next = () => {
      clearTimeout(late);
      resolve();
    };
    this.#waiting.add(next);
    return promise;
  }

  #release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
