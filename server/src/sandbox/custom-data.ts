import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import { MAX_CLIENT_CHOSEN_IDS } from '../domain/quotas.ts';
import { orderStatuses } from '../domain/vocabulary.ts';
import { EARLIEST, LATEST, parseDateTime } from '../http/encoding/date-time.ts';
import { type BodyOf, documentBody, documentFields, invalidAt, readFields } from '../http/fields/body.ts';
import {
  bodyField,
  dateTime,
  type Field,
  type Fields,
  int64,
  integer,
  oneOf,
  optional,
  optionalOrNull,
} from '../http/fields/field.ts';
import { listOf, schemaRef } from '../http/openapi/openapi.ts';
import { responseSchema } from '../http/openapi/schemas.ts';
import { type Order, orderFields } from '../orders/order.ts';
import { placedOrderExample } from '../orders/order-view.ts';
import { DEFAULT_SHIPPING_MS } from '../orders/place-order.ts';
import { isFinal, states, statesUpTo } from '../orders/states.ts';
import { petFields } from '../pets/pet.ts';
import { startOfDay } from '../provisioning/demonstration-data.ts';
import { type Contents, toRows } from './data-sets.ts';

export const MAX_ROWS_PER_LIST = Number(MAX_CLIENT_CHOSEN_IDS);
const MAX_STOCK = Number.MAX_SAFE_INTEGER;

const id: Field<bigint> = {
  ...int64('Unique id. A request may omit it: the next free id is assigned.', 1),
  read: (value) => (typeof value === 'bigint' && value > 0n ? value : undefined),
  expected: `an integer from 1 to ${2n ** 63n - 1n}`,
};

/** Relative to 00:00 UTC of a day. */
type RelativeTime = (day: bigint) => bigint;

const offset = /^([+-]\d{1,5})([dhm])$/;
const unitsMs = { d: 86_400_000n, h: 3_600_000n, m: 60_000n };

function parseTime(value: unknown): RelativeTime | undefined {
  if (typeof value !== 'string') return undefined;
  const [, count, unit] = offset.exec(value) ?? [];
  if (count !== undefined) return (day) => day + BigInt(count) * unitsMs[unit as keyof typeof unitsMs];
  const time = parseDateTime(value);
  return time === undefined ? undefined : () => time;
}

const time = (description: string, example: string): Field<RelativeTime> => ({
  description: `${description} A date-time, or relative to 00:00 UTC of \`today\`, such as \`+3d\`, \`-12h\` or \`+30m\`.`,
  schema: { type: 'string', minLength: 3, maxLength: 64, pattern: '^([+-][0-9]{1,5}[dhm]|[0-9]{4}-.+)$' },
  example,
  read: parseTime,
  expected: 'a date and time with a UTC offset, such as 2026-12-01T08:00:00Z, or an offset such as +3d',
});

const { complete, updatedAt, ...order } = placedOrderExample;
export const customDataExample = {
  pets: [{ id: 1, name: 'Rex', category: 'dog', stock: 3 }],
  orders: [{ ...order, id: 1 }],
};

const customPetFields = {
  id: optional(id),
  ...petFields,
  stock: integer([0, MAX_STOCK], 'Units left in stock after these orders.', 3, { format: 'int64' }),
};

const customOrderFields = {
  id: optional(id),
  petId: { ...orderFields.petId, description: 'Id of a pet in this data.' },
  quantity: orderFields.quantity,
  shipDate: optionalOrNull(
    time(
      'By default three days after `placedAt`; for an order that has shipped, `placedAt`.',
      order.shipDate,
    ),
  ),
  status: optional(oneOf('`pending` by default.', schemaRef('OrderStatus'), orderStatuses)),
  placedAt: optionalOrNull(
    time(
      'By default 00:00 UTC of `today` if given, else now; for an order that has shipped, `shipDate` if that is earlier.',
      order.placedAt,
    ),
  ),
  updatedAt: optionalOrNull(
    time(
      'When the order was delivered or cancelled; only for those states. By default `shipDate` if delivered, `placedAt` if cancelled.',
      updatedAt,
    ),
  ),
};

const lists = (pet: string, order: string) => ({
  pets: listOf(pet, MAX_ROWS_PER_LIST, 'Sorted by ascending id.'),
  orders: listOf(order, MAX_ROWS_PER_LIST, 'Sorted by ascending id.'),
});

/** Every field is required in responses except `updatedAt`, which only final orders have. */
const rowResponse = (description: string, fields: Fields) => {
  const { required, ...rest } = responseSchema(description, documentFields(fields));
  return { ...rest, required: required.filter((name) => name !== 'updatedAt') };
};

export const customDataSchemas = {
  OwnData: {
    type: 'object',
    description: 'All pets and orders of a store. Accepts no other fields.',
    additionalProperties: false,
    required: ['pets', 'orders'],
    properties: lists('OwnPet', 'OwnOrder'),
    examples: [customDataExample],
  },
  OwnPet: documentBody(customPetFields, 'A pet to load. Accepts no other fields.'),
  OwnOrder: documentBody(customOrderFields, 'An order to load. Accepts no other fields.'),
  StoreData: responseSchema('All pets and orders of a store.', lists('StorePet', 'StoreOrder')),
  StorePet: rowResponse('A pet in the format of `data`.', customPetFields),
  StoreOrder: rowResponse('An order in the format of `data`.', {
    ...customOrderFields,
    shipDate: dateTime('The expected ship date; once the order has shipped, the actual one.', order.shipDate),
    placedAt: dateTime('When the order was placed.', order.placedAt),
    updatedAt: dateTime('When the order was delivered or cancelled.', updatedAt),
  }),
};

const rowList = bodyField(
  { description: '' },
  `an array of at most ${MAX_ROWS_PER_LIST} objects`,
  (value): readonly unknown[] | undefined =>
    Array.isArray(value) && value.length <= MAX_ROWS_PER_LIST ? value : undefined,
);
const dataFields = { pets: rowList, orders: rowList };

const ROWS_PER_TICK = 500;

interface Times {
  readonly today: bigint | undefined;
  readonly now: number;
}

export async function readCustomData(value: unknown, { today, now }: Times): Promise<Contents> {
  const times = { day: today ?? startOfDay(now), defaultPlacedAt: today ?? BigInt(now) };
  const data = readFields(dataFields, value, { place: 'data' });
  const pets = assignIds('pets', await readRows('pets', customPetFields, data.pets));
  const inputs = assignIds('orders', await readRows('orders', customOrderFields, data.orders));
  const unitsByPet = new Map(pets.rows.map(({ id, stock }) => [id, stock]));
  const orders = inputs.rows.map((input, index) => {
    const place = `orders[${index}]`;
    const units = unitsByPet.get(input.petId);
    if (units === undefined) throw invalidData(`${place}.petId`, "refers to a pet that is not in 'pets'");
    const order = toOrder(input, place, times);
    const total = states[order.status].holdsUnits ? units + order.quantity : units;
    // Cancelled orders return their units to the stock, which must not exceed MAX_STOCK even if all are cancelled.
    if (total > MAX_STOCK)
      throw invalidData(place, 'would bring the stock and ordered units of its pet above 2^53 − 1');
    unitsByPet.set(input.petId, total);
    return order;
  });
  orders.sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows = { ...toRows(pets.rows, orders), nextPetId: pets.next, nextOrderId: inputs.next };
  return { dataSet: 'own', seed: null, ...rows };
}

async function readRows<F extends Fields>(
  name: string,
  fields: F,
  list: readonly unknown[],
): Promise<Array<BodyOf<F>>> {
  const rows: Array<BodyOf<F>> = [];
  for (const row of list) {
    rows.push(
      readFields(fields, row, { place: `${name}[${rows.length}]`, root: '/data', codeOf: codeOfValue }),
    );
    if (rows.length % ROWS_PER_TICK === 0) await yieldToEventLoop();
  }
  return rows;
}

/** A value of the wrong JSON type is 400 `invalid_body`; an invalid value of the right type is 422 `invalid_data`. */
function codeOfValue({ schema }: Field<unknown>, given: unknown) {
  const type = 'type' in schema && schema.type === 'integer' ? 'bigint' : 'string';
  return typeof given === type ? 'invalid_data' : 'invalid_body';
}

function assignIds<R extends { readonly id?: bigint }>(name: string, rows: readonly R[]) {
  const ids = new Set<bigint>();
  for (const [index, { id }] of rows.entries()) {
    if (id === undefined) continue;
    if (ids.has(id)) throw invalidData(`${name}[${index}].id`, 'is a duplicate');
    ids.add(id);
  }
  let next = firstNewId(ids);
  return { rows: rows.map((row) => ({ ...row, id: row.id ?? next++ })), next };
}

const MIN_FREE_IDS = 2n ** 40n;

/** New ids follow the largest used id with more than MIN_FREE_IDS free ids after it, so not one near the end of int64. */
function firstNewId(ids: ReadonlySet<bigint>): bigint {
  let nextUsed = 2n ** 63n;
  for (const id of [...ids].sort((a, b) => (a > b ? -1 : 1))) {
    if (nextUsed - id > MIN_FREE_IDS) return id + 1n;
    nextUsed = id;
  }
  return 1n;
}

function toOrder(
  input: BodyOf<typeof customOrderFields> & { id: bigint },
  place: string,
  { day, defaultPlacedAt }: { day: bigint; defaultPlacedAt: bigint },
): Order {
  const { id, petId, quantity, status = 'pending' } = input;
  const resolve = (name: 'shipDate' | 'placedAt' | 'updatedAt') => {
    const time = input[name]?.(day);
    if (time !== undefined && (time < EARLIEST || time > LATEST))
      throw invalidData(`${place}.${name}`, 'is not between the years 0000 and 9999');
    return time;
  };
  const [shipDate, placedAt, updatedAt] = [resolve('shipDate'), resolve('placedAt'), resolve('updatedAt')];
  const hasShipped = statesUpTo(status).includes('shipped');
  const wasShippedBeforeDefault = hasShipped && shipDate !== undefined && shipDate < defaultPlacedAt;
  const placed = placedAt ?? (wasShippedBeforeDefault ? shipDate : defaultPlacedAt);
  const expected = placed + DEFAULT_SHIPPING_MS;
  const ship = shipDate ?? (hasShipped ? placed : expected > LATEST ? BigInt(LATEST) : expected);
  const lastChange = hasShipped ? ship : placed;
  if (lastChange < placed) throw invalidData(`${place}.shipDate`, 'is before the order was placed');
  if (updatedAt !== undefined && !isFinal(status))
    throw invalidData(`${place}.updatedAt`, 'is only allowed for delivered or cancelled orders');
  if (updatedAt !== undefined && updatedAt < lastChange)
    throw invalidData(`${place}.updatedAt`, 'is before the order was placed or shipped');
  const dates = { ship_date: ship, placed_at: placed, updated_at: updatedAt ?? lastChange };
  return { id, pet_id: petId, quantity, status, ...dates };
}

const invalidData = (place: string, problem: string) => invalidAt('invalid_data', place, problem, '/data');
