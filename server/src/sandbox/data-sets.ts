import { hash } from 'node:crypto';
import { demonstrationOrders, demonstrationPets } from '../orders/demonstration-data.ts';
import type { Pet, PetFields } from '../pets/pet.ts';
import type { OwnData } from './own-data.ts';

/** What a store can be filled with when it is reset. */
export const dataSetNames = ['default', 'empty', 'int64', 'large'] as const;
export type DataSetName = (typeof dataSetNames)[number];

/** A data set, what its random choices are drawn from, how many orders a `large` one has, and the day it is dated from. */
export interface DataSet {
  readonly dataSet: DataSetName;
  readonly seed: bigint;
  readonly orders: bigint;
  /** 00:00 UTC of it. */
  readonly today: bigint;
}

/** What a store is filled with: a data set, or what its client made up. */
export type Contents = DataSet | { readonly dataSet: 'own'; readonly seed: null; readonly own: OwnData };

/** How much a store with these contents holds, and where its ids go on. */
export function extentOf(contents: Contents): ReturnType<typeof counted> {
  if (contents.dataSet !== 'own') return extents[contents.dataSet](contents.orders);
  const { pets, orders, nextPetId, nextOrderId } = contents.own;
  return { orders: BigInt(orders.length), pets: BigInt(pets.length), nextOrderId, nextPetId };
}

const petCount = BigInt(demonstrationPets.length);
const orderCount = BigInt(demonstrationOrders.length);
const counted = (orders: bigint, pets: bigint) => ({
  orders,
  pets,
  nextOrderId: orders + 1n,
  nextPetId: pets + 1n,
});

/** Where ids are counted from beside those of `int64`. */
const BESIDE = 1001n;

/** The ids that clients get wrong: at every width that somebody counts with, and what a double cannot tell apart. */
export const hardIds: readonly bigint[] = [
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

const extents: Record<DataSetName, (orders: bigint) => ReturnType<typeof counted>> = {
  default: () => counted(orderCount, petCount),
  empty: () => counted(0n, 0n),
  int64: () => ({
    orders: BigInt(hardIds.length),
    pets: BigInt(hardIds.length),
    nextOrderId: BESIDE,
    nextPetId: BESIDE,
  }),
  large: (orders) => counted(orders, petCount),
};

const DAY = 86_400_000n;
const HOUR = 3_600_000n;
/** The first order was placed so long before, all at the same time of the day. */
const BEFORE = 76n * DAY - 8n * HOUR;
/** Every other one is pending: one of two neighbours can be cancelled, the other not. */
const states = ['pending', 'shipped', 'pending', 'delivered'] as const;

export function hardPets(seed: bigint): Pet[] {
  return hardIds.map((id) => {
    const drawn = draw(seed, `pet ${id}`);
    const like = demonstrationPets[drawn % demonstrationPets.length] as PetFields;
    return { ...like, id, stock: BigInt(1 + (drawn % 100)) };
  });
}

/** Each is for the pet of the same id. Those that are pending ship after this day. */
export function hardOrders({ seed, today }: Pick<DataSet, 'seed' | 'today'>) {
  return hardIds.map((id, index) => {
    const drawn = draw(seed, `order ${id}`);
    const status = states[index % states.length] as (typeof states)[number];
    const placed = today - BEFORE + BigInt(index) * DAY;
    const ship = (status === 'pending' ? today + 8n * HOUR : placed) + BigInt(1 + (drawn % 28)) * DAY;
    return {
      id,
      pet_id: id,
      quantity: BigInt(1 + (drawn % 5)),
      ship_date: ship,
      status,
      placed_at: placed,
      updated_at: { pending: placed, shipped: ship, delivered: ship + 3n * DAY }[status],
      revision: status === 'pending' ? 1n : status === 'shipped' ? 2n : 3n,
    };
  });
}

/** Where the orders of a `large` store begin to be scattered. */
export function shiftOf(seed: bigint): bigint {
  return BigInt(draw(seed, 'large'));
}

/** A whole number below 2^30: always the same for the same seed and purpose. */
export function draw(seed: bigint, purpose: string): number {
  return hash('sha256', `${seed} ${purpose}`, 'buffer').readUInt32BE() >>> 2;
}
