import { FairShares } from '../../fair-shares.ts';
import { ApiError } from '../errors.ts';

/** Who is refused hears it only then: asked again at once and for ever, refusals would take the time of the others. */
const HELD_MS = 40;
/** One for all: to make an error costs more than to send it. */
const refused = new ApiError('unavailable');

/** Shares of what requests ask for. */
export class Shares extends FairShares {
  readonly #held: number;

  constructor(most: number, held = HELD_MS) {
    super(most);
    this.#held = held;
  }

  /** Holds back what somebody is refused with who has been here since then. */
  hold<T>(refusal: T, since = performance.now()): Promise<T> {
    const left = Math.max(0, since + this.#held - performance.now());
    return new Promise((resolve) => setTimeout(resolve, left, refusal));
  }

  async run<T>(who: bigint, work: () => Promise<T>): Promise<T> {
    if (!this.take(who)) throw await this.hold(refused);
    try {
      return await work();
    } finally {
      this.giveBack(who);
    }
  }
}
