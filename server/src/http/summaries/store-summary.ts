import { orderEvents } from '../../events/change-log.ts';
import { type OrderStatus, orderStatuses, requireKnownStatus, transitions } from '../../orders/states.ts';
import type { Pet } from '../../pets/pet.ts';
import type { CountedChange, CountedOrder } from '../../stores/summary-queries.ts';
import { ExpectedWeeks } from './expected-weeks.ts';
import { weekOf } from './weeks.ts';

export type Counts = Record<OrderStatus, number>;

/** About what the counts of a week and the stock of a pet take. */
const BYTES_A_WEEK = 160;
const BYTES_A_PET = 120;

/** By the type of the event that tells of it: the state that an order came from, none if it was placed, and went to. */
const moves = new Map<string, { from: OrderStatus | undefined; to: OrderStatus }>(
  orderStatuses.map((to) => {
    const from = Object.values(transitions).find((transition) => transition.to === to)?.from;
    return [orderEvents[to], { from, to }];
  }),
);

/** How many orders a store has in each state, in all and by week, and of each pet how many are left. */
export class StoreSummary {
  readonly orders = noOrders();
  readonly #weeks = new Map<number, Counts>();
  readonly #expected = new ExpectedWeeks();
  #stock = new Map<bigint, bigint>();
  #lastPet = -(2n ** 63n);
  #isSorted = true;

  get bytes(): number {
    return this.#expected.bytes + this.#weeks.size * BYTES_A_WEEK + this.#stock.size * BYTES_A_PET;
  }

  /** The last weeks in which orders ship, ascending, this many at the most. There may be half a million. */
  lastWeeks(most: number): Array<{ week: number; counts: Counts }> {
    const sorted = (weeks: number[]) => weeks.sort((a, b) => a - b).slice(-most);
    let last: number[] = [];
    for (const week of this.#weeks.keys()) {
      if (last.length < most || week > (last[0] as number)) last.push(week);
      if (last.length === 2 * most) last = sorted(last);
    }
    return sorted(last).map((week) => ({ week, counts: this.#weeks.get(week) as Counts }));
  }

  /** By ascending id of the pet. */
  get stock(): ReadonlyMap<bigint, bigint> {
    if (!this.#isSorted) this.#stock = new Map([...this.#stock].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#isSorted = true;
    return this.#stock;
  }

  /** Counts an order as it is. */
  add(order: CountedOrder): void {
    requireKnownStatus(order);
    const week = weekOf(order.ship_date);
    this.#count(order.status, week);
    if (order.status === 'pending') this.#expected.add(order.id, week);
  }

  /** Counts an order where a change has brought it, and no more where it was. */
  move({ what, id, ship_date }: CountedChange): void {
    const move = moves.get(what);
    if (!move) throw new Error(`the log is damaged: ${JSON.stringify(what)} happened to order ${id}`);
    const week = weekOf(ship_date);
    const before = move.from === 'pending' ? this.#expected.take(id) : week;
    if (before === undefined) throw new Error(`the log is damaged: order ${id} was not pending`);
    if (move.from) this.#discount(move.from, before);
    this.#count(move.to, week);
    if (move.to === 'pending') this.#expected.add(id, week);
  }

  setStock({ id, stock }: Pick<Pet, 'id' | 'stock'>): void {
    if (!this.#stock.has(id)) {
      if (id < this.#lastPet) this.#isSorted = false;
      else this.#lastPet = id;
    }
    this.#stock.set(id, stock);
  }

  #count(status: OrderStatus, week: number): void {
    const counts = this.#weeks.get(week) ?? noOrders();
    this.#weeks.set(week, counts);
    counts[status] += 1;
    this.orders[status] += 1;
  }

  #discount(status: OrderStatus, week: number): void {
    const counts = this.#weeks.get(week);
    if (!counts?.[status]) throw new Error(`the log is damaged: too many orders were ${status}`);
    counts[status] -= 1;
    this.orders[status] -= 1;
    if (orderStatuses.every((other) => counts[other] === 0)) this.#weeks.delete(week);
  }
}

function noOrders(): Counts {
  return { pending: 0, shipped: 0, delivered: 0, cancelled: 0 };
}
