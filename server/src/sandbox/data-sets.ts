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
  /** Orders by ascending id: those from one place in their list to before another. */
  readonly orders: (from: number, to: number) => readonly Order[];
  readonly nextPetId: bigint;
  readonly nextOrderId: bigint;
}

type Rows = Omit<Contents, 'dataSet' | 'seed'>;
type Asked = { readonly seed: bigint; readonly orders: number; readonly today: bigint };

export const rowsOf: Record<DataSetName, (asked: Asked) => Rows> = {
  default: ({ today }) => listed(demonstrationPets, demonstrationOrders(today)),
  empty: () => listed([], []),
  int64: (asked) => ({ ...listed(hardPets(asked), hardOrders(asked)), nextPetId: 1001n, nextOrderId: 1001n }),
  large: ({ seed, orders: count, today }) => {
    // Of nine orders, four are pending, two shipped and three delivered: a list shows every one.
    const all = { count, today, shift: draw(seed, 'large'), cycle: 9 };
    return {
      ...listed(demonstrationPets, []),
      orderCount: count,
      orders: (from, to) => generateOrders(all, from + 1, to),
      nextOrderId: BigInt(count + 1),
    };
  },
};

export function listed(pets: readonly Pet[], orders: readonly Order[]): Rows {
  return {
    pets,
    orderCount: orders.length,
    orders: (from, to) => orders.slice(from, to),
    nextPetId: BigInt(pets.length + 1),
    nextOrderId: BigInt(orders.length + 1),
  };
}

/** The ids that clients get wrong: at every width that somebody counts with, and what a double cannot tell apart. */
const hardIds: readonly bigint[] = [
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
/** The first order was placed so long before `today`, and each further one a day later. */
const FIRST_PLACED_BEFORE = 76n * DAY - 8n * HOUR;
/** Every other one is pending: one of two neighbours can be cancelled, the other not. */
const hardStates = ['pending', 'shipped', 'pending', 'delivered'] as const;

function hardPets({ seed }: Asked): Pet[] {
  return hardIds.map((id) => {
    const drawn = draw(seed, `pet ${id}`);
    const like = demonstrationPets[drawn % demonstrationPets.length] as Pet;
    return { ...like, id, stock: BigInt(1 + (drawn % 100)) };
  });
}

/** Each is for the pet of the same id. Those that are pending ship after this day. */
function hardOrders({ seed, today }: Asked): Order[] {
  return hardIds.map((id, index) => {
    const drawn = draw(seed, `order ${id}`);
    const status = hardStates[index % hardStates.length] as (typeof hardStates)[number];
    const placed = today - FIRST_PLACED_BEFORE + BigInt(index) * DAY;
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

export const DRAWN_BELOW = 2 ** 30;

/** A whole number that is always the same for the same seed and purpose. */
export function draw(seed: bigint, purpose: string): number {
  return hash('sha256', `${seed} ${purpose}`, 'buffer').readUInt32BE() >>> 2;
}
