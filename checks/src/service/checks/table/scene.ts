import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { ensure, equal, expectStatus, headerOf, jsonOf } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { type Fields, idsOf, mondayOf, type Order, objectOf, orderIn, pageOf } from '../../v2.ts';
import { MAX_WEEKS } from '../v2/summary.ts';

interface Entry {
  readonly status: string;
  readonly at: unknown;
}

/** The expected state of the pets and orders that a check created. */
export interface Scene {
  readonly category: string;
  readonly pets: Map<bigint, Fields>;
  readonly orders: Map<bigint, Order>;
  readonly histories: Map<bigint, Entry[]>;
}

/** A snapshot of all orders and pets of the store, with the ETags of the responses. */
export interface View {
  readonly revision: bigint;
  readonly tags: ReadonlyMap<string, string>;
  readonly listed: readonly Fields[];
  readonly pets: readonly Fields[];
  readonly counts: Readonly<Record<string, bigint>>;
  readonly weeks: ReadonlyMap<string, Readonly<Record<string, bigint>>>;
  readonly stock: readonly Fields[];
}

const MAX_APART_MS = 60_000;
const fields = ['id', 'petId', 'quantity', 'shipDate', 'complete', 'status', 'placedAt', 'updatedAt'];

export const createScene = (): Scene => ({
  category: `acceptance ${randomUUID()}`,
  pets: new Map(),
  orders: new Map(),
  histories: new Map(),
});

/** A pet as it must be shown: `sold` without stock. */
export const petOf = (pet: Fields): Fields => ({
  id: pet.id,
  name: pet.name,
  category: pet.category,
  status: pet.stock === 0n ? 'sold' : 'available',
  stock: pet.stock,
});

/** A time with milliseconds that is close to the response's `Date`. */
export function expectNow(time: unknown, response: Response): void {
  const apart = Math.abs(Date.parse(String(time)) - Date.parse(headerOf(response, 'Date')));
  const isExact = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(time));
  ensure(isExact && apart < MAX_APART_MS, 'the current time', time, response.request);
}

/** Adds an order that was just placed, after checking each of its fields. */
export function recordPlacement(scene: Scene, response: Response, given: Fields): Order {
  const order = orderIn(response, 201);
  equal(Object.keys(order), fields, 'the fields', response.request);
  expectNow(order.placedAt, response);
  const { placedAt } = order;
  const threeDays = new Date(Date.parse(String(placedAt)) + 3 * 86_400_000).toISOString();
  const { petId, quantity, shipDate = threeDays } = given;
  const expected = { petId, quantity, shipDate, complete: false, status: 'pending', placedAt };
  equal(order, { id: order.id, ...expected, updatedAt: placedAt }, 'the order', response.request);
  scene.orders.set(order.id, order);
  scene.histories.set(order.id, [{ status: 'pending', at: placedAt }]);
  const pet = scene.pets.get(petId as bigint);
  if (pet)
    scene.pets.set(petId as bigint, petOf({ ...pet, stock: (pet.stock as bigint) - (quantity as bigint) }));
  return order;
}

/** Moves an order to its next state, at the time that the response shows. */
export function recordTransition(
  scene: Scene,
  id: bigint,
  status: string,
  shown: Order,
  response: Response,
): Order {
  const order = scene.orders.get(id) as Order;
  expectNow(shown.updatedAt, response);
  const at = String(shown.updatedAt);
  ensure(at >= String(order.updatedAt), `a time not before ${order.updatedAt}`, at, response.request);
  const moved = {
    ...order,
    status,
    updatedAt: at,
    complete: status === 'delivered',
    ...(status === 'shipped' && { shipDate: at }),
  };
  scene.orders.set(id, moved);
  scene.histories.get(id)?.push({ status, at });
  const pet = scene.pets.get(order.petId as bigint);
  if (status === 'cancelled' && pet)
    scene.pets.set(order.petId as bigint, petOf({ ...pet, stock: (pet.stock as bigint) + order.quantity }));
  return moved;
}

/** The paths of both versions whose responses have an `ETag`, for the given orders and pets. */
function taggedPaths({ client }: Context, orderIds: Iterable<bigint>, petIds: Iterable<bigint>): string[] {
  const v1 = client.base.pathname.replace(/\/+$/, '');
  const lists = [`${v1}/store/orders`, `${v1}/pets`, `${client.v2}/store/summary`];
  const pets = [...petIds].flatMap((id) => [`${v1}/pets/${id}`, `${client.v2}/pets/${id}`]);
  const orders = [...orderIds].flatMap((id) => [
    `${client.v2}/store/orders/${id}`,
    `${client.v2}/store/orders/${id}/history`,
  ]);
  return [...lists, `${client.v2}/pets?limit=1`, `${client.v2}/store/orders?limit=1`, ...pets, ...orders];
}

/** Reads the whole store. Sends the ETags of an earlier view, none of which may still match. */
export async function snapshot(
  context: Context,
  { orders, pets }: Scene,
  earlier?: ReadonlyMap<string, string>,
): Promise<View> {
  const { client } = context;
  const tags = new Map<string, string>();
  const responses = new Map<string, Response>();
  for (const path of taggedPaths(context, [...orders.keys()].slice(-2), [...pets.keys()].slice(-2))) {
    const tag = earlier?.get(path);
    const response = await client.send({ prefix: '', path, headers: tag ? { 'If-None-Match': tag } : {} });
    expectStatus(response, 200);
    tags.set(path, headerOf(response, 'ETag'));
    responses.set(path, response);
  }
  const v1 = client.base.pathname.replace(/\/+$/, '');
  const jsonAt = (path: string) => jsonOf(responses.get(path) as Response);
  const summary = jsonAt(`${client.v2}/store/summary`) as Fields;
  const {
    orders: counts,
    weeks,
    stock,
    revision,
  } = summary as unknown as {
    orders: Record<string, bigint>;
    weeks: (Record<string, bigint> & { week: unknown })[];
    stock: Fields[];
    revision: bigint;
  };
  return {
    revision,
    tags,
    counts,
    stock,
    weeks: new Map(
      weeks.map(({ week, ...weekCounts }) => [String(week), weekCounts as Record<string, bigint>]),
    ),
    listed: jsonAt(`${v1}/store/orders`) as Fields[],
    pets: jsonAt(`${v1}/pets`) as Fields[],
  };
}

const withoutScene = (items: readonly Fields[], own: ReadonlyMap<bigint, unknown>, name = 'id') =>
  items.filter((item) => !own.has(item[name] as bigint));

/** The counts per status, in total and per week, of the scene's orders. */
function countsOf(orders: Iterable<Order>): Map<string, bigint> {
  const counts = new Map<string, bigint>();
  for (const { status, shipDate } of orders)
    for (const key of [status, `${mondayOf(shipDate)} ${status}`])
      counts.set(key, (counts.get(key) ?? 0n) + 1n);
  return counts;
}

/** Compares the whole store with its expected state. */
export function expectScene(
  view: View,
  before: View,
  ordersBefore: Iterable<Order>,
  { orders, pets }: Scene,
): void {
  const shown = [...orders.values()]
    .filter(({ status }) => status !== 'cancelled')
    .map(({ id, petId, quantity, shipDate, complete }) => ({ id, petId, quantity, shipDate, complete }));
  equal(
    view.listed.filter(({ id }) => orders.has(id as bigint)),
    shown,
    'the orders of the check',
    'GET /v1/store/orders',
  );
  equal(
    withoutScene(view.listed, orders),
    withoutScene(before.listed, orders),
    'the other orders',
    'GET /v1/store/orders',
  );
  const inV1 = [...pets.values()].map(({ stock: _, ...pet }) => pet);
  equal(
    view.pets.filter(({ id }) => pets.has(id as bigint)),
    inV1,
    'the pets of the check',
    'GET /v1/pets',
  );
  equal(withoutScene(view.pets, pets), withoutScene(before.pets, pets), 'the other pets', 'GET /v1/pets');
  const stock = [...pets.values()].map(({ id, stock: units }) => ({ petId: id, stock: units }));
  const where = 'GET /v2/store/summary';
  equal(
    view.stock.filter(({ petId }) => pets.has(petId as bigint)),
    stock,
    'the stock of the check’s pets',
    where,
  );
  equal(
    withoutScene(view.stock, pets, 'petId'),
    withoutScene(before.stock, pets, 'petId'),
    'the stock of the other pets',
    where,
  );
  const [countsBefore, countsAfter] = [countsOf(ordersBefore), countsOf(orders.values())];
  for (const key of new Set([...countsBefore.keys(), ...countsAfter.keys()])) {
    const [first = '', second] = key.split(' ');
    const read = ({ counts, weeks }: View) =>
      (second === undefined ? counts[first] : weeks.get(first)?.[second]) ?? 0n;
    const expected = read(before) - (countsBefore.get(key) ?? 0n) + (countsAfter.get(key) ?? 0n);
    if (second !== undefined && !view.weeks.has(first) && view.weeks.size === MAX_WEEKS) continue;
    equal(read(view), expected, `the number of orders, ${key}`, where);
  }
}

/** Checks the scene's orders and pets in version 2: filters, sorts, pages, histories. */
export async function checkSceneInV2({ v2, client }: Context, scene: Scene, petId: bigint, orderId?: bigint) {
  const listed = [...scene.orders.values()].filter((order) => order.petId === petId);
  const expectFound = async (query: string, expected: readonly Order[]) => {
    const path = `/store/orders?petId=${petId}${query}`;
    equal(pageOf(await v2.get(path)), { data: expected, nextCursor: null }, 'the page', `GET ${path}`);
  };
  await expectFound('', listed);
  if (orderId !== undefined) {
    const order = scene.orders.get(orderId) as Order;
    const path = `/store/orders/${orderId}`;
    equal(objectOf(await v2.get(path)), order, 'the order', `GET ${path}`);
    const { data } = objectOf(await v2.get(`${path}/history`));
    equal(data, scene.histories.get(orderId), 'the history', `GET ${path}/history`);
    await expectFound(
      `&status=${order.status}`,
      listed.filter(({ status }) => status === order.status),
    );
    await expectFound(
      `&complete=${!order.complete}`,
      listed.filter(({ complete }) => complete !== order.complete),
    );
    await expectFound(
      `&shipDateFrom=${order.shipDate}&shipDateTo=${new Date(Date.parse(order.shipDate) + 1).toISOString()}`,
      listed.filter(({ shipDate }) => shipDate === order.shipDate),
    );
    const paged = await v2.walk(`/store/orders?petId=${petId}&sort=-id&limit=2`);
    equal(
      idsOf(paged.items),
      idsOf(listed.toReversed()),
      'the orders',
      `GET …?petId=${petId}&sort=-id&limit=2`,
    );
  }
  const pet = scene.pets.get(petId) as Fields;
  const { stock: _, ...inV1 } = pet;
  equal(objectOf(await v2.get(`/pets/${petId}`)), pet, 'the pet', `GET /v2/pets/${petId}`);
  equal(jsonOf(await client.send({ path: `/pets/${petId}` })), inV1, 'the pet', `GET /v1/pets/${petId}`);
  const category = `category=${encodeURIComponent(scene.category)}`;
  const pets = [...scene.pets.values()].filter((one) => one.category === scene.category);
  for (const status of ['available', 'sold'])
    equal(
      pageOf(await v2.get(`/pets?${category}&status=${status}`)).data,
      pets.filter((one) => one.status === status),
      `the pets that are ${status}`,
      `GET /v2/pets?${category}&status=${status}`,
    );
}
