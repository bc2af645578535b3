import type { Order } from '../orders/order.ts';
import { demonstrationPets } from './demonstration-data.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Orders are placed evenly over `DAYS` days, the last one `DAYS_AGO` days ago: old enough to be delivered. */
const DAYS = 2465;
const DAYS_AGO = 46;
const SECONDS = BigInt(DAYS * 86_400);

interface Recipe {
  readonly count: number;
  readonly today: bigint;
  /** Different shifts generate different orders. */
  readonly shift: number;
  /** Out of this many orders, four are pending, two shipped, three delivered and the rest cancelled. */
  readonly cycle: number;
}

/** Orders from number `first` to `last`, in integer arithmetic: the same on every machine. */
export function generateOrders(recipe: Recipe, first: number, last: number): Order[] {
  return Array.from({ length: last - first + 1 }, (_, index) => generateOrder(recipe, first + index));
}

function generateOrder({ count, today, shift, cycle }: Recipe, n: number): Order {
  // Multiplying by 2^32 / golden ratio scatters the numbers.
  const scattered = Math.imul(n + shift, 2654435769) >>> 16;
  const second = Number((BigInt(n) * SECONDS) / BigInt(count));
  const placed = Number(today) - (DAYS + DAYS_AGO) * DAY_MS + second * 1000;
  const ship = placed + (1 + (scattered % 41)) * DAY_MS + (scattered % 24) * HOUR_MS;
  const state = scattered % cycle;
  const status = state < 4 ? 'pending' : state < 6 ? 'shipped' : state < 9 ? 'delivered' : 'cancelled';
  const updated = {
    pending: placed,
    shipped: ship,
    delivered: ship + 3 * DAY_MS,
    cancelled: placed + 6 * HOUR_MS,
  };
  return {
    id: BigInt(n),
    pet_id: BigInt(1 + (Math.floor(scattered / 10) % demonstrationPets.length)),
    quantity: BigInt(1 + (Math.floor(scattered / 120) % 5)),
    ship_date: BigInt(ship),
    status,
    placed_at: BigInt(placed),
    updated_at: BigInt(updated[status]),
  };
}
