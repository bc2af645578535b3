import { LATEST } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { type BodyOf, invalidBody, objectWith } from '../http/fields/body.ts';
import type { Field, Fields } from '../http/fields/field.ts';
import { yieldTurn } from '../http/server/yield-turn.ts';
import type { Order } from '../orders/order.ts';
import type { Pet } from '../pets/pet.ts';
import { MOST_OWN } from './limits.ts';
import { ownOrderFields, ownPetFields } from './own-data-fields.ts';

/** Pets and orders that a client made up, as they are to be, and where ids go on after them. */
export interface OwnData {
  readonly pets: readonly Pet[];
  readonly orders: readonly Order[];
  readonly nextPetId: bigint;
  readonly nextOrderId: bigint;
}

/** Rows that are checked in one turn of the event loop. */
const TURN = 500;
const USUAL_SHIPPING_MS = 3n * 86_400_000n;

/** Reads the data of a store and checks all of it, at this moment; what cannot be is refused by its place. */
export async function readOwnData(value: unknown, at: bigint): Promise<OwnData> {
  const given = objectWith(['pets', 'orders'], value, "'data'");
  const pets = await rowsOf('pets', ownPetFields, given.pets);
  const orders = await rowsOf('orders', ownOrderFields, given.orders);
  const petIds = idsOf('pets', pets);
  const orderIds = idsOf('orders', orders);
  const known = new Set(petIds.ids);
  const made: Order[] = [];
  for (const [index, order] of orders.entries()) {
    const place = `orders[${index}]`;
    if (!known.has(order.petId)) throw invalidData(`${place}.petId`, 'names a pet that is not there');
    made.push(orderOf(order, orderIds.ids[index] as bigint, place, at));
    if (made.length % TURN === 0) await yieldTurn();
  }
  const byId = (a: { id: bigint }, b: { id: bigint }) => (a.id < b.id ? -1 : 1);
  return {
    pets: pets.map((pet, index) => ({ ...pet, id: petIds.ids[index] as bigint })).sort(byId),
    orders: made.sort(byId),
    nextPetId: petIds.next,
    nextOrderId: orderIds.next,
  };
}

async function rowsOf<F extends Fields>(name: string, fields: F, list: unknown): Promise<Array<BodyOf<F>>> {
  if (!Array.isArray(list)) throw invalidBody(`'data.${name}' must be a JSON array`);
  if (list.length > MOST_OWN) throw invalidBody(`'data.${name}' must have at most ${MOST_OWN}`);
  const rows: Array<BodyOf<F>> = [];
  for (const row of list) {
    rows.push(readRow(fields, row, `${name}[${rows.length}]`));
    if (rows.length % TURN === 0) await yieldTurn();
  }
  return rows;
}

function readRow<F extends Fields>(fields: F, row: unknown, place: string): BodyOf<F> {
  const given = objectWith(Object.keys(fields), row, `'${place}'`);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(given, name)) values[name] = readValue(field, given[name], `${place}.${name}`);
    else if (field.default !== undefined) values[name] = field.default;
    else if (!field.isOptional) throw invalidBody(`'${place}.${name}' is missing`);
  }
  return values as BodyOf<F>;
}

/** What is of another JSON type is no such body at all; what is of the right one cannot be. */
function readValue<T>(field: Field<T>, given: unknown, place: string): T {
  const value = field.read(given);
  if (value !== undefined) return value;
  const type = 'type' in field.schema && field.schema.type === 'integer' ? 'bigint' : 'string';
  if (typeof given === type) throw invalidData(place, `must be ${field.expected}`);
  throw invalidBody(`'${place}' must be ${field.expected}`);
}

/** So many ids are left free behind the one that new ids are counted on from. */
const ROOM = 2n ** 40n;

/** The id of each row; those left out are counted on from the largest, or from the largest that has room behind it. */
function idsOf(name: string, rows: ReadonlyArray<{ id?: bigint }>): { ids: bigint[]; next: bigint } {
  const given = new Set<bigint>();
  for (const [index, { id }] of rows.entries()) {
    if (id !== undefined && given.has(id)) throw invalidData(`${name}[${index}].id`, 'is there twice');
    if (id !== undefined) given.add(id);
  }
  let next = 1n;
  let above = 2n ** 63n;
  for (const id of [...given].sort((a, b) => (a > b ? -1 : 1))) {
    next = id + 1n;
    if (above - next > ROOM) break;
    [above, next] = [id, 1n];
  }
  return { ids: rows.map(({ id }) => id ?? next++), next };
}

/** An order with all its dates, which never go back from one state to the next. */
function orderOf(given: BodyOf<typeof ownOrderFields>, id: bigint, place: string, at: bigint): Order {
  const { petId, quantity, shipDate, status = 'pending', placedAt, updatedAt } = given;
  const hasShipped = status === 'shipped' || status === 'delivered';
  const hasEnded = status === 'delivered' || status === 'cancelled';
  const placed = placedAt ?? (hasShipped && shipDate !== undefined && shipDate < at ? shipDate : at);
  const ship = shipDate ?? (hasShipped ? placed : usualShipDate(placed));
  if (hasShipped && ship < placed) throw invalidData(`${place}.shipDate`, 'is before it was placed');
  if (updatedAt !== undefined && !hasEnded)
    throw invalidData(`${place}.updatedAt`, 'is only for what is delivered or cancelled');
  const last = hasShipped ? ship : placed;
  if (updatedAt !== undefined && updatedAt < last)
    throw invalidData(`${place}.updatedAt`, 'is before it was placed or shipped');
  return {
    id,
    pet_id: petId,
    quantity,
    ship_date: ship,
    status,
    placed_at: placed,
    updated_at: updatedAt ?? last,
  };
}

function usualShipDate(placed: bigint): bigint {
  const usual = placed + USUAL_SHIPPING_MS;
  return usual > LATEST ? BigInt(LATEST) : usual;
}

function invalidData(place: string, problem: string): ApiError {
  return new ApiError('invalid_data', `The data cannot be: '${place}' ${problem}.`);
}
