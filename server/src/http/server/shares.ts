import { setTimeout as pause } from 'node:timers/promises';
import { storeOf } from '../../writer/verbs.ts';
import type { Writer } from '../../writer/writer.ts';
import { ApiError } from '../errors.ts';

/** Who is refused hears it only then: asked again at once and for ever, refusals would take the time of the others. */
const HELD_MS = 60;
/** One for all: to make an error costs more than to send it. */
const refused = new ApiError('unavailable');

/**
 * So much work of one costly kind may be under way at a time. Beyond that, a store that has an equal share of it or more
 * is refused; others go on being served, so that nobody is crowded out by somebody else.
 */
export class Shares {
  readonly #most: number;
  readonly #held: number;
  readonly #ofStore = new Map<bigint, number>();
  #all = 0;

  constructor(most: number, held = HELD_MS) {
    this.#most = most;
    this.#held = held;
  }

  async run<T>(storeId: bigint, work: () => Promise<T>): Promise<T> {
    const own = this.#ofStore.get(storeId) ?? 0;
    if (this.#all >= this.#most && own * this.#ofStore.size >= this.#most) await this.#refuse();
    this.#all++;
    this.#ofStore.set(storeId, own + 1);
    try {
      return await work();
    } finally {
      this.#all--;
      const left = (this.#ofStore.get(storeId) ?? 1) - 1;
      if (left > 0) this.#ofStore.set(storeId, left);
      else this.#ofStore.delete(storeId);
    }
  }

  async #refuse(): Promise<never> {
    await pause(this.#held);
    throw refused;
  }
}

/** Changes that may wait at a time: four groups full of them, so that a burst of a thousand is served. */
const MOST_CHANGES = 1024;

/** A writer for those who ask from outside: what goes on in the background is never refused. */
export function inShares(writer: Writer, shares = new Shares(MOST_CHANGES)): Writer {
  return {
    apply(verb, args) {
      const storeId = storeOf({ verb, args });
      const apply = () => writer.apply(verb, args);
      return storeId === undefined ? apply() : shares.run(storeId, apply);
    },
    onCommit: (listener) => writer.onCommit(listener),
    close: () => writer.close(),
  };
}
