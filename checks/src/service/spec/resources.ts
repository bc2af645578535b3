import { Inconclusive, type Suite } from '../check.ts';
import { ensure, equal } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { Mismatch } from '../mismatch.ts';
import { expectErrorObject, type Fields, integerOf, isDateTime, isInt64, isObject } from './expect.ts';
import type { Store } from './store.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

export function resourceChecks(suite: Suite, store: Store): void {
  orderChecks(suite, store);
  errorChecks(suite, store);
}

function orderChecks(suite: Suite, store: Store): void {
  const { documented } = suite.section('spec.order', 'Resources and their fields: Order');
  /** Tests every order that has the field, since no field is required. */
  const every = async (field: string, expected: string, test: (value: unknown) => boolean) => {
    const orders = (await store.orders()).filter((order) => field in order);
    if (orders.length === 0) throw new Inconclusive(`no order has the field \`${field}\``);
    const wrong = orders.find((order) => !test(order[field]));
    if (wrong) throw new Mismatch(`${expected} in \`${field}\``, textOf(wrong), 'GET /store/orders');
  };

  documented('object', 'an Order is a “JSON object. No field is marked required.”', async () => {
    const { orders, response } = await store.list();
    for (const order of orders) ensure(isObject(order), 'a JSON object', order, response.request);
  });
  documented('id', '“`id` integer int64”', () => every('id', 'an int64', isInt64));
  documented('unique-id', '“`id`: Unique order identifier”', async () => {
    const ids = (await store.orders()).flatMap(({ id }) => integerOf(id) ?? []);
    const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
    ensure(duplicate === undefined, 'unique ids', `two orders with the id ${duplicate}`, 'GET /store/orders');
  });
  documented('pet-id', '“`petId` integer int64: Identifier of the animal in this order”', () =>
    every('petId', 'an int64', isInt64),
  );
  documented('quantity', '“`quantity` integer: Number of units ordered”', () =>
    every('quantity', 'a number of units', (value) => (integerOf(value) ?? -1n) >= 0n),
  );
  documented('ship-date', '“`shipDate` string date-time (ISO 8601)”', () =>
    every('shipDate', 'a date-time', (value) => typeof value === 'string' && isDateTime(value)),
  );
  documented('complete', '“`complete` boolean: Whether the order has been fulfilled”', () =>
    every('complete', 'a boolean', (value) => typeof value === 'boolean'),
  );
}

function errorChecks(suite: Suite, store: Store): void {
  const { documented } = suite.section('spec.error', 'Resources and their fields: Error');
  const { client } = store;
  const errors = async (): Promise<Fields[]> => [
    expectErrorObject(await client.send({ path: '/store/orders', key: alteredKey(client.key) }), 401),
    expectErrorObject(
      await client.send({ method: 'DELETE', path: `/store/orders/${await store.missingId()}` }),
      404,
    ),
  ];

  documented('three-fields', 'an Error is a “JSON object. All three fields are required.”', async () => {
    await errors();
  });
  documented('code', '“`code` string: Machine-readable error code.”', async () => {
    for (const error of await errors()) ensure(isText(error.code), 'a string in `code`', error);
  });
  documented('message', '“`message` string: Human-readable description of the error.”', async () => {
    for (const error of await errors()) ensure(isText(error.message), 'a string in `message`', error);
  });
  documented('status', '“`status` integer: The HTTP status code.”', async () => {
    const [unauthorized, missing] = await errors();
    equal(integerOf(unauthorized?.status), 401n, 'the field `status`', 'GET /store/orders');
    equal(integerOf(missing?.status), 404n, 'the field `status`', 'DELETE /store/orders/{orderId}');
  });
}

const textOf = (order: Fields): string =>
  JSON.stringify(order, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
