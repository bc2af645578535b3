import { hash } from 'node:crypto';
import type { Order } from '../orders/order.ts';
import type { Pet } from '../pets/pet.ts';
import { demonstrationOrders, demonstrationPets } from '../provisioning/demonstration-data.ts';
import { generateOrders } from '../provisioning/generate-orders.ts';

export const dataSetNames = ['default', 'empty', 'int64', 'large'] as const;
type DataSetName = (typeof dataSetNames)[number];

export interface Contents {
  readonly dataSet: DataSetName | 'own';
  readonly seed: bigint | null;
  readonly pets: readonly Pet[];
  readonly orderCount: number;
  /** A slice of the orders, which are sorted by ascending id. */
  readonly orders: (from: number, to: number) => readonly Order[];
  readonly nextPetId: bigint;
  readonly nextOrderId: bigint;
}

type Rows = Omit<Contents, 'dataSet' | 'seed'>;
type Options = { readonly seed: bigint; readonly orders: number; readonly today: bigint };

export const generateDataSet: Record<DataSetName, (options: Options) => Rows> = {
  default: ({ today }) => toRows(demonstrationPets, demonstrationOrders(today)),
  empty: () => toRows([], []),
  int64: (opts) => ({ ...toRows(int64Pets(opts), int64Orders(opts)), nextPetId: 1001n, nextOrderId: 1001n }),
  large: ({ seed, orders: count, today }) => {
    // A cycle of nine orders (four pending, two shipped, three delivered) leaves out cancelled ones, which v1 hides.
    const all = { count, today, shift: draw(seed, 'large'), cycle: 9 };
    return {
      ...toRows(demonstrationPets, []),
      orderCount: count,
      orders: (from, to) => generateOrders(all, from + 1, to),
      nextOrderId: BigInt(count + 1),
    };
  },
};

export function toRows(pets: readonly Pet[], orders: readonly Order[]): Rows {
  return {
    pets,
    orderCount: orders.length,
    orders: (from, to) => orders.slice(from, to),
    nextPetId: BigInt(pets.length + 1),
    nextOrderId: BigInt(orders.length + 1),
  };
}

/** Boundaries of 32- and 64-bit integers, and ids that a double cannot tell apart. */
const int64Ids: readonly bigint[] = [
  1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 2n,
  2n ** 63n - 1n,
];

const HOUR = 3_600_000n;
const DAY = 24n * HOUR;
/** Age of the first order; the next ones are placed a day apart. */
const FIRST_ORDER_AGE = 76n * DAY - 8n * HOUR;
/** Every other order is pending, so that of two neighbouring ids only one can be cancelled. */
const int64Statuses = ['pending', 'shipped', 'pending', 'delivered'] as const;

function int64Pets({ seed }: Options): Pet[] {
  return int64Ids.map((id) => {
    const drawn = draw(seed, `pet ${id}`);
    const template = demonstrationPets[drawn % demonstrationPets.length] as Pet;
    return { ...template, id, stock: BigInt(1 + (drawn % 100)) };
  });
}

/** Each order is for the pet with the same id. Pending orders ship after `today`. */
function int64Orders({ seed, today }: Options): Order[] {
  return int64Ids.map((id, index) => {
    const drawn = draw(seed, `order ${id}`);
    const status = int64Statuses[index % int64Statuses.length] as (typeof int64Statuses)[number];
    const placed = today - FIRST_ORDER_AGE + BigInt(index) * DAY;
    const ship = (status === 'pending' ? today + 8n * HOUR : placed) + BigInt(1 + (drawn % 28)) * DAY;
    return {
      id,
      pet_id: id,
      quantity: BigInt(1 + (drawn % 5)),
      ship_date: ship,
      status,
      placed_at: placed,
      updated_at: { pending: placed, shipped: ship, delivered: ship + 3n * DAY }[status],
    };
  });
}

export const DRAW_RANGE = 2 ** 30;

/** Deterministic pseudorandom integer from 0 to below DRAW_RANGE for a seed and purpose. */
export function draw(seed: bigint, purpose: string): number {
  return hash('sha256', `${seed} ${purpose}`, 'buffer').readUInt32BE() >>> 2;
}
