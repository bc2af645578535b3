import { LATEST } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { type BodyOf, invalidBody, objectWith, readFields } from '../http/fields/body.ts';
import type { Field, Fields } from '../http/fields/field.ts';
import { yieldTurn } from '../http/server/yield-turn.ts';
import type { Order } from '../orders/order.ts';
import { USUAL_SHIPPING_MS } from '../orders/place-order.ts';
import type { Contents } from './data-sets.ts';
import { MOST_OWN, ownOrderFields, ownPetFields } from './own-data-fields.ts';

const TURN = 500;

/** Reads the data of a store and checks all of it, at this moment; what cannot be is refused by its place. */
export async function readOwnData(value: unknown, at: bigint): Promise<Contents> {
  const given = objectWith(['pets', 'orders'], value, "'data'");
  const pets = withIds('pets', await rowsOf('pets', ownPetFields, given.pets));
  const orders = withIds('orders', await rowsOf('orders', ownOrderFields, given.orders));
  const petIds = new Set(pets.rows.map(({ id }) => id));
  const made = orders.rows.map((order, index) => {
    if (!petIds.has(order.petId)) throw invalidData(`'orders[${index}].petId' names a pet that is not there`);
    return orderOf(order, `orders[${index}]`, at);
  });
  const sorted = made.sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    dataSet: 'own',
    seed: null,
    pets: pets.rows,
    orderCount: sorted.length,
    orders: (from, to) => sorted.slice(from, to),
    nextPetId: pets.next,
    nextOrderId: orders.next,
  };
}

async function rowsOf<F extends Fields>(name: string, fields: F, list: unknown): Promise<Array<BodyOf<F>>> {
  if (!Array.isArray(list)) throw invalidBody(`'data.${name}' must be a JSON array`);
  if (list.length > MOST_OWN) throw invalidBody(`'data.${name}' must have at most ${MOST_OWN}`);
  const rows: Array<BodyOf<F>> = [];
  for (const row of list) {
    rows.push(readFields(fields, row, { place: `${name}[${rows.length}]`, refuse }));
    if (rows.length % TURN === 0) await yieldTurn();
  }
  return rows;
}

/** A value of another JSON type makes no such body at all; one of the right type makes data that cannot be. */
function refuse(problem: string, { schema }: Field<unknown>, given: unknown): ApiError {
  const type = 'type' in schema && schema.type === 'integer' ? 'bigint' : 'string';
  return typeof given === type ? invalidData(problem) : invalidBody(problem);
}

/** So many ids are left free behind the one that new ids are counted on from. */
const ROOM = 2n ** 40n;

function withIds<R extends { readonly id?: bigint }>(name: string, rows: readonly R[]) {
  const given = new Set<bigint>();
  for (const [index, { id }] of rows.entries()) {
    if (id !== undefined && given.has(id)) throw invalidData(`'${name}[${index}].id' is there twice`);
    if (id !== undefined) given.add(id);
  }
  const largestFirst = [...given].sort((a, b) => (a > b ? -1 : 1));
  const last = largestFirst.find((id, i) => (largestFirst[i - 1] ?? 2n ** 63n) - id > ROOM);
  let next = (last ?? 0n) + 1n;
  return { rows: rows.map((row) => ({ ...row, id: row.id ?? next++ })), next };
}

/** An order with all its dates, which never go back from one state to the next. */
function orderOf(given: BodyOf<typeof ownOrderFields> & { id: bigint }, place: string, at: bigint): Order {
  const { id, petId, quantity, shipDate, status = 'pending', placedAt, updatedAt } = given;
  const hasShipped = status === 'shipped' || status === 'delivered';
  const hasEnded = status === 'delivered' || status === 'cancelled';
  const placed = placedAt ?? (hasShipped && shipDate !== undefined && shipDate < at ? shipDate : at);
  const ship = shipDate ?? (hasShipped ? placed : usualShipDate(placed));
  const last = hasShipped ? ship : placed;
  if (last < placed) throw invalidData(`'${place}.shipDate' is before it was placed`);
  if (updatedAt !== undefined && !hasEnded)
    throw invalidData(`'${place}.updatedAt' is only for what is delivered or cancelled`);
  if (updatedAt !== undefined && updatedAt < last)
    throw invalidData(`'${place}.updatedAt' is before it was placed or shipped`);
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

function invalidData(problem: string): ApiError {
  return new ApiError('invalid_data', `The data cannot be: ${problem}.`);
}
