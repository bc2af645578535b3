import type { OrderStatus } from '../../src/domain/vocabulary.ts';
import { statesUpTo, type Transition } from '../../src/orders/states.ts';
import { demonstrationOrders, demonstrationPets } from '../../src/provisioning/demonstration-data.ts';
import type { Client, Order, Pet, Response } from '../support/v2.ts';

/** One request of either version. Ids may name nothing. */
export type Operation =
  | { kind: 'place'; petId: number; quantity: number; key: string | undefined }
  | { kind: Transition; id: number; version: 'v1' | 'v2' }
  | { kind: 'create'; stock: number }
  | { kind: 'restock'; petId: number; stock: number };

export interface Expected {
  readonly status: number;
  readonly code?: string;
  readonly body?: object;
}

/** What the service should be, in the plainest way: two arrays and no database. */
export class ModelStore {
  readonly pets = demonstrationPets.map((pet, i) => ({ ...pet, stock: Number(pet.stock), id: i + 1 }));
  readonly orders = demonstrationOrders(0n).map(({ id, pet_id, quantity, status }) => ({
    id: Number(id),
    petId: Number(pet_id),
    quantity: Number(quantity),
    history: statesUpTo(status),
  }));
  readonly #responses = new Map<string, { requested: string; response: Expected }>();

  apply(operation: Operation): Expected {
    switch (operation.kind) {
      case 'place':
        return this.#placeOnce(operation);
      case 'create': {
        const pet = { name: 'Luna', category: 'cat', stock: operation.stock, id: this.pets.length + 1 };
        this.pets.push(pet);
        return { status: 201, body: { id: BigInt(pet.id), stock: BigInt(pet.stock) } };
      }
      case 'restock': {
        const pet = this.pets.find(({ id }) => id === operation.petId);
        if (!pet) return { status: 404, code: 'not_found' };
        pet.stock = operation.stock;
        return { status: 200, body: { id: BigInt(pet.id), stock: BigInt(pet.stock) } };
      }
      default:
        return this.#move(operation.kind, operation.id, operation.version);
    }
  }

  #placeOnce({ petId, quantity, key }: Operation & { kind: 'place' }): Expected {
    if (key === undefined) return this.#place(petId, quantity);
    const requested = `${petId} ${quantity}`;
    const stored = this.#responses.get(key);
    if (stored && stored.requested !== requested) return { status: 422, code: 'idempotency_key_reused' };
    if (stored) return stored.response;
    const response = this.#place(petId, quantity);
    this.#responses.set(key, { requested, response });
    return response;
  }

  #place(petId: number, quantity: number): Expected {
    const pet = this.pets.find(({ id }) => id === petId);
    if (!pet) return { status: 422, code: 'unknown_pet' };
    if (pet.stock < quantity) return { status: 409, code: 'insufficient_stock' };
    pet.stock -= quantity;
    const id = this.orders.length + 1;
    this.orders.push({ id, petId, quantity, history: ['pending'] });
    return { status: 201, body: { id: BigInt(id), quantity: BigInt(quantity), status: 'pending' } };
  }

  #move(kind: Transition, id: number, version: 'v1' | 'v2'): Expected {
    const order = this.orders.find((other) => other.id === id);
    const status = order?.history.at(-1);
    if (!order) return { status: 404, code: 'not_found' };
    if (kind === 'cancel') {
      if (status === 'cancelled')
        return version === 'v1'
          ? { status: 404, code: 'not_found' }
          : { status: 409, code: 'order_already_cancelled' };
      if (status !== 'pending') return { status: 409, code: 'order_already_shipped' };
      order.history.push('cancelled');
      const pet = this.pets.find((other) => other.id === order.petId);
      if (pet) pet.stock += order.quantity;
      return { status: 204 };
    }
    const [from, to] =
      kind === 'ship' ? (['pending', 'shipped'] as const) : (['shipped', 'delivered'] as const);
    if (status !== from) return { status: 409, code: 'invalid_transition' };
    order.history.push(to);
    return { status: 200, body: { id: BigInt(id), status: to } };
  }
}

export function send(client: Client, operation: Operation): Promise<Response> {
  switch (operation.kind) {
    case 'place': {
      const { petId, quantity, key } = operation;
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      return client('POST /v2/store/orders', { body: { petId, quantity }, headers });
    }
    case 'create':
      return client('POST /v2/pets', { body: { name: 'Luna', category: 'cat', stock: operation.stock } });
    case 'restock':
      return client(`PATCH /v2/pets/${operation.petId}`, { body: { stock: operation.stock } });
    case 'cancel':
      return client(`DELETE /${operation.version}/store/orders/${operation.id}`);
    default:
      return client(`POST /v2/store/orders/${operation.id}/${operation.kind}`);
  }
}

/** What either version should show of the model now. */
export function shown({ pets, orders }: ModelStore) {
  const v2 = orders.map(({ id, petId, quantity, history }) => ({
    id: BigInt(id),
    petId: BigInt(petId),
    quantity: BigInt(quantity),
    status: history.at(-1) as OrderStatus,
    complete: history.at(-1) === 'delivered',
  }));
  return {
    orders: v2,
    ordersOfV1: v2.filter(({ status }) => status !== 'cancelled').map(({ status: _, ...order }) => order),
    pets: pets.map(({ id, stock }) => ({ id: BigInt(id), stock: BigInt(stock) })),
  };
}

/** What both versions do show, without the times. */
export async function seen(client: Client) {
  const [orders, ordersOfV1, pets, petsOfV1] = await Promise.all([
    client('GET /v2/store/orders?limit=1000').then((response) => response.json<{ data: Order[] }>().data),
    client('GET /v1/store/orders').then((response) => response.json<Order[]>()),
    client('GET /v2/pets?limit=1000').then((response) => response.json<{ data: Pet[] }>().data),
    client('GET /v1/pets').then((response) => response.json<Omit<Pet, 'stock'>[]>()),
  ]);
  const dates = new Map(orders.map(({ id, shipDate }) => [id, shipDate]));
  for (const { id, shipDate } of ordersOfV1) {
    if (dates.get(id) !== shipDate) throw new Error(`v1 and v2 disagree on when order ${id} ships`);
  }
  const withoutStock = pets.map(({ stock: _, ...pet }) => pet);
  if (JSON.stringify(petsOfV1, text) !== JSON.stringify(withoutStock, text))
    throw new Error('v1 and v2 show different pets');
  return {
    orders: orders.map(({ id, petId, quantity, status, complete }) => ({
      id,
      petId,
      quantity,
      status,
      complete,
    })),
    ordersOfV1: ordersOfV1.map(({ shipDate: _, ...order }) => order),
    pets: pets.map(({ id, stock }) => ({ id, stock })),
  };
}

function text(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
