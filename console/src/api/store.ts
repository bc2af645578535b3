import { readJson } from './http.ts';
import { type Id, writeJson } from './json.ts';
import { sendWithKey } from './token.ts';

export const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export interface Order {
  readonly id: Id;
  readonly petId: Id;
  readonly quantity: number;
  readonly shipDate: string;
  readonly complete: boolean;
  readonly status: OrderStatus;
  readonly placedAt: string;
  readonly updatedAt: string;
}

export interface Pet {
  readonly id: Id;
  readonly name: string;
  readonly category: string;
  readonly status: 'available' | 'sold';
  readonly stock: number;
}

export interface OrderState {
  readonly status: OrderStatus;
  readonly at: string;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

/** What was read, and the revision of the store (its `ETag`) at which it was true. */
export interface Snapshot<T> {
  readonly revision: string | null;
  readonly value: T;
}

/** Reads only what changed: a 304 gives back the very object that was there before. */
export async function read<T>(
  path: string,
  before?: Snapshot<T>,
  signal?: AbortSignal,
): Promise<Snapshot<T>> {
  const response = await sendWithKey(`/v2${path}`, {
    ...(before?.revision ? { headers: { 'if-none-match': before.revision } } : {}),
    ...(signal ? { signal } : {}),
  });
  if (response.status === 304 && before) return before;
  return { revision: response.headers.get('etag'), value: await readJson<T>(response) };
}

const MOST_PAGES = 5;
export const MOST_READ = MOST_PAGES * 1000;

/** Reads every item of a list, page by page, up to a bound that keeps the console light. */
export async function readAll<T>(
  path: string,
  before?: Snapshot<Page<T>>,
  signal?: AbortSignal,
): Promise<Snapshot<Page<T>>> {
  const first = await read<Page<T>>(path, before, signal);
  if (first === before) return before;
  const data = [...first.value.data];
  let { nextCursor } = first.value;
  for (let pages = 1; nextCursor !== null && pages < MOST_PAGES; pages += 1) {
    const next = await read<Page<T>>(`${path}&cursor=${nextCursor}`, undefined, signal);
    data.push(...next.value.data);
    nextCursor = next.value.nextCursor;
  }
  return { revision: first.revision, value: { data, nextCursor } };
}

const json = { 'content-type': 'application/json' };

export async function placeOrder(
  order: { petId: Id; quantity: number; shipDate?: string | undefined },
  idempotencyKey: string,
): Promise<Order> {
  const headers = { ...json, 'idempotency-key': idempotencyKey };
  return readJson(await sendWithKey('/v2/store/orders', { method: 'POST', headers, body: writeJson(order) }));
}

export type Transition = 'ship' | 'deliver' | 'cancel';

export async function changeOrder(id: Id, transition: Transition): Promise<void> {
  if (transition === 'cancel') await sendWithKey(`/v2/store/orders/${id}`, { method: 'DELETE' });
  else await sendWithKey(`/v2/store/orders/${id}/${transition}`, { method: 'POST' });
}

export async function createPet(pet: { name: string; category: string; stock: number }): Promise<Pet> {
  return readJson(
    await sendWithKey('/v2/pets', { method: 'POST', headers: json, body: JSON.stringify(pet) }),
  );
}

export async function changePet(
  id: Id,
  change: { name?: string; category?: string; stock?: number },
): Promise<Pet> {
  return readJson(
    await sendWithKey(`/v2/pets/${id}`, { method: 'PATCH', headers: json, body: JSON.stringify(change) }),
  );
}
