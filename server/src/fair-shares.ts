/** Beyond the bound, whoever has an equal share of the work under way gets no more; others are still served. */
export class FairShares {
  readonly #most: number;
  readonly #underWayOf = new Map<bigint, number>();
  #underWay = 0;

  constructor(most: number) {
    this.#most = most;
  }

  take(who: bigint): boolean {
    const own = this.#underWayOf.get(who) ?? 0;
    if (this.#underWay >= this.#most && own * this.#underWayOf.size >= this.#most) return false;
    this.#underWay++;
    this.#underWayOf.set(who, own + 1);
    return true;
  }

  giveBack(who: bigint): void {
    this.#underWay--;
    const left = (this.#underWayOf.get(who) ?? 1) - 1;
    if (left > 0) this.#underWayOf.set(who, left);
    else this.#underWayOf.delete(who);
  }
}
