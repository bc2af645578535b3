const BYTES_AN_ORDER = 12;
/** About what an entry of a Map with a bigint in it takes. */
const BYTES_A_LATECOMER = 72;
/** No week has this number. */
const GONE = -(2 ** 31);

/**
 * In which week each pending order is expected to ship. Shipping overwrites that in the database, and counts by week
 * must take the order out of the week that it was in: twelve bytes an order, since there may be a million.
 */
export class ExpectedWeeks {
  #ids = new BigInt64Array(16);
  #weeks = new Int32Array(16);
  #length = 0;
  /** Those that came with a smaller id than the last. */
  readonly #latecomers = new Map<bigint, number>();

  get bytes(): number {
    return this.#ids.length * BYTES_AN_ORDER + this.#latecomers.size * BYTES_A_LATECOMER;
  }

  add(id: bigint, week: number): void {
    if (this.#length > 0 && id <= (this.#ids[this.#length - 1] as bigint)) {
      this.#latecomers.set(id, week);
      return;
    }
    if (this.#length === this.#ids.length) this.#grow();
    this.#ids[this.#length] = id;
    this.#weeks[this.#length] = week;
    this.#length += 1;
  }

  /** The week of an order that is pending no more; undefined if it was not. */
  take(id: bigint): number | undefined {
    const late = this.#latecomers.get(id);
    if (late !== undefined) {
      this.#latecomers.delete(id);
      return late;
    }
    const position = this.#find(id);
    const week = this.#ids[position] === id ? this.#weeks[position] : GONE;
    if (week === GONE) return undefined;
    this.#weeks[position] = GONE;
    return week;
  }

  #grow(): void {
    const [ids, weeks] = [this.#ids, this.#weeks];
    this.#ids = new BigInt64Array(2 * ids.length);
    this.#weeks = new Int32Array(2 * weeks.length);
    this.#ids.set(ids);
    this.#weeks.set(weeks);
  }

  /** Where the id is, or would be. */
  #find(id: bigint): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] as bigint) < id) low = middle + 1;
      else high = middle;
    }
    return low < this.#length ? low : -1;
  }
}
