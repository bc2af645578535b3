import { ApiError } from '../errors.ts';

/** Who is refused hears it only then: asked again at once and for ever, refusals would take the time of the others. */
const HELD_MS = 40;
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

  /** Counts a piece of work that begins; false if it must be refused. */
  take(storeId: bigint): boolean {
    const own = this.#ofStore.get(storeId) ?? 0;
    if (this.#all >= this.#most && own * this.#ofStore.size >= this.#most) return false;
    this.#all++;
    this.#ofStore.set(storeId, own + 1);
    return true;
  }

  /** The work has ended, however it did. */
  giveBack(storeId: bigint): void {
    this.#all--;
    const left = (this.#ofStore.get(storeId) ?? 1) - 1;
    if (left > 0) this.#ofStore.set(storeId, left);
    else this.#ofStore.delete(storeId);
  }

  /** Holds back what somebody is refused with who has been here since then. */
  hold<T>(refusal: T, since = performance.now()): Promise<T> {
    const left = Math.max(0, since + this.#held - performance.now());
    return new Promise((resolve) => setTimeout(resolve, left, refusal));
  }

  async run<T>(storeId: bigint, work: () => Promise<T>): Promise<T> {
    if (!this.take(storeId)) throw await this.hold(refused);
    try {
      return await work();
    } finally {
      this.giveBack(storeId);
    }
  }
}
