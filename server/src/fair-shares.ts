/**
 * So much of one costly kind may be under way at a time. Beyond that, whoever has an equal share of it or more gets no
 * more; others go on being served, so that nobody is crowded out by somebody else.
 */
export class FairShares {
  readonly #most: number;
  readonly #of = new Map<bigint, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a piece of work that begins; false if it must be refused. */
  take(who: bigint): boolean {
    const own = this.#of.get(who) ?? 0;
    if (this.#all >= this.#most && own * this.#of.size >= this.#most) return false;
    this.#all++;
    this.#of.set(who, own + 1);
    return true;
  }

  /** The work has ended, however it did. */
  giveBack(who: bigint): void {
    this.#all--;
    const left = (this.#of.get(who) ?? 1) - 1;
    if (left > 0) this.#of.set(who, left);
    else this.#of.delete(who);
  }
}
