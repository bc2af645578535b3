import type { OrderStatus } from '../domain/vocabulary.ts';
import type { Order } from '../orders/order.ts';
import type { Pet, PetFields } from '../pets/pet.ts';

const DAY_MS = 86_400_000;

/** The day that the dates below are relative to. In a store, they are shifted to the day it is opened. */
export const REFERENCE_DAY = parseTime('2026-11-16T00:00Z');

/** Every new store has these. A pet's id is its position in this list, starting at 1. */
const pets: readonly PetFields[] = [
  { name: 'Rex', category: 'dog', stock: 24n },
  { name: 'Bella', category: 'dog', stock: 12n },
  { name: 'Tom', category: 'cat', stock: 18n },
  { name: 'Misty', category: 'cat', stock: 9n },
  { name: 'Nemo', category: 'fish', stock: 120n },
  { name: 'Bubbles', category: 'fish', stock: 80n },
  { name: 'Coco', category: 'parrot', stock: 6n },
  { name: 'Kiwi', category: 'budgie', stock: 15n },
  { name: 'Hazel', category: 'rabbit', stock: 14n },
  { name: 'Pip', category: 'hamster', stock: 30n },
  { name: 'Shelly', category: 'tortoise', stock: 4n },
  { name: 'Ziggy', category: 'gecko', stock: 0n },
];
export const demonstrationPets: readonly Pet[] = pets.map((pet, i) => ({ id: BigInt(i + 1), ...pet }));

type Row = [
  pet: number,
  units: number,
  status: OrderStatus,
  placed: string,
  ship: string,
  delivered?: string,
];

/** An order's id is its position in this list, starting at 1. The stock above is what these orders have left. */
const orders: ReadonlyArray<Row> = [
  [6, 3, 'delivered', '2026-09-02T16:17Z', '2026-09-04T17:30Z', '2026-09-07T20:30Z'],
  [11, 5, 'pending', '2026-09-03T23:34Z', '2026-12-07T10:00Z'],
  [4, 2, 'shipped', '2026-09-05T06:51Z', '2026-09-09T10:30Z'],
  [9, 4, 'pending', '2026-09-06T13:08Z', '2026-12-13T12:00Z'],
  [2, 1, 'delivered', '2026-09-07T20:25Z', '2026-09-10T01:30Z', '2026-09-14T04:30Z'],
  [7, 3, 'pending', '2026-09-09T03:42Z', '2026-12-19T14:00Z'],
  [12, 5, 'shipped', '2026-09-10T10:59Z', '2026-09-14T11:30Z'],
  [5, 2, 'pending', '2026-09-11T17:16Z', '2026-12-25T16:00Z'],
  [10, 4, 'delivered', '2026-09-13T00:33Z', '2026-09-15T03:30Z', '2026-09-17T06:30Z'],
  [3, 1, 'pending', '2026-09-14T07:50Z', '2026-12-31T09:00Z'],
  [8, 3, 'shipped', '2026-09-15T14:07Z', '2026-09-19T18:30Z'],
  [1, 5, 'pending', '2026-09-16T21:24Z', '2027-01-06T11:00Z'],
  [6, 2, 'delivered', '2026-09-18T04:41Z', '2026-09-20T11:30Z', '2026-09-23T14:30Z'],
  [11, 4, 'pending', '2026-09-19T11:58Z', '2027-01-12T13:00Z'],
  [4, 1, 'shipped', '2026-09-20T18:15Z', '2026-09-24T19:30Z'],
  [9, 3, 'pending', '2026-09-22T01:32Z', '2026-12-04T15:00Z'],
  [2, 5, 'delivered', '2026-09-23T08:49Z', '2026-09-25T12:30Z', '2026-09-29T15:30Z'],
  [7, 2, 'pending', '2026-09-24T15:06Z', '2026-12-10T08:00Z'],
  [12, 4, 'shipped', '2026-09-25T22:23Z', '2026-09-30T03:30Z'],
  [5, 1, 'pending', '2026-09-27T05:40Z', '2026-12-16T10:00Z'],
  [10, 3, 'delivered', '2026-09-28T12:57Z', '2026-09-30T13:30Z', '2026-10-02T16:30Z'],
  [3, 5, 'pending', '2026-09-29T19:14Z', '2026-12-22T12:00Z'],
  [8, 2, 'shipped', '2026-10-01T02:31Z', '2026-10-05T05:30Z'],
  [1, 4, 'pending', '2026-10-02T09:48Z', '2026-12-28T14:00Z'],
  [6, 1, 'delivered', '2026-10-03T16:05Z', '2026-10-05T20:30Z', '2026-10-08T23:30Z'],
  [11, 3, 'pending', '2026-10-04T23:22Z', '2027-01-03T16:00Z'],
  [4, 5, 'shipped', '2026-10-06T06:39Z', '2026-10-10T13:30Z'],
  [9, 2, 'pending', '2026-10-07T13:56Z', '2027-01-09T09:00Z'],
  [2, 4, 'delivered', '2026-10-08T20:13Z', '2026-10-10T21:30Z', '2026-10-15T00:30Z'],
  [7, 1, 'pending', '2026-10-10T03:30Z', '2026-12-01T11:00Z'],
  [12, 3, 'shipped', '2026-10-11T10:47Z', '2026-10-15T14:30Z'],
  [5, 5, 'pending', '2026-10-12T17:04Z', '2026-12-07T13:00Z'],
  [10, 2, 'delivered', '2026-10-14T00:21Z', '2026-10-16T05:30Z', '2026-10-18T08:30Z'],
  [3, 4, 'pending', '2026-10-15T07:38Z', '2026-12-13T15:00Z'],
  [8, 1, 'shipped', '2026-10-16T14:55Z', '2026-10-20T15:30Z'],
  [1, 3, 'pending', '2026-10-17T21:12Z', '2026-12-19T08:00Z'],
  [6, 5, 'delivered', '2026-10-19T04:29Z', '2026-10-21T06:30Z', '2026-10-24T09:30Z'],
  [11, 2, 'pending', '2026-10-20T11:46Z', '2026-12-25T10:00Z'],
  [4, 4, 'shipped', '2026-10-21T18:03Z', '2026-10-25T22:30Z'],
  [9, 1, 'pending', '2026-10-23T01:20Z', '2026-12-31T12:00Z'],
];

export function demonstrationOrders(today: bigint): Order[] {
  const shiftedTime = (text: string) => parseTime(text) - REFERENCE_DAY + today;
  return orders.map(([petId, quantity, status, placed, ship, delivered], index) => ({
    id: BigInt(index + 1),
    pet_id: BigInt(petId),
    quantity: BigInt(quantity),
    ship_date: shiftedTime(ship),
    status,
    placed_at: shiftedTime(placed),
    updated_at: shiftedTime(delivered ?? (status === 'shipped' ? ship : placed)),
  }));
}

export function startOfDay(time: number | bigint): bigint {
  return BigInt(time) - (BigInt(time) % BigInt(DAY_MS));
}

function parseTime(text: string): bigint {
  return BigInt(Date.parse(text));
}
