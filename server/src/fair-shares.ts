/** Beyond the bound, whoever has an equal share of the work under way gets no more; others are still served. */
export class FairShares {
  readonly #most: number;
  readonly #of = new Map<bigint, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  take(who: bigint): boolean {
    const own = this.#of.get(who) ?? 0;
    if (this.#all >= this.#most && own * this.#of.size >= this.#most) return false;
    this.#all++;
    this.#of.set(who, own + 1);
    return true;
  }

  giveBack(who: bigint): void {
    this.#all--;
    const left = (this.#of.get(who) ?? 1) - 1;
    if (left > 0) this.#of.set(who, left);
    else this.#of.delete(who);
  }
}
