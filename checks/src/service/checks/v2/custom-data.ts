import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import type { Json } from '../../document.ts';
import { equal, expectError, expectStatus, jsonOf } from '../../expect.ts';
import { type Fields, idsOf, objectOf, pageOf } from '../../v2.ts';
import { unescapeToken } from '../table/schema.ts';
import { resolved, violationsOf } from '../table/values.ts';
import { stagingSection } from './sandbox.ts';

const TODAY = '2030-02-03';
const MAX_ROWS = 10_000;
const pet = { id: 1, name: 'Ada', category: 'cat', stock: 2 };
const day = (text: string) => `${text}T00:00:00.000Z`;

/** Orders of custom data as sent, and the dates that they get: placed, shipped, updated. */
const dates: readonly [order: object, placedAt: string, shipDate: string, updatedAt: string][] = [
  [{}, day(TODAY), day('2030-02-06'), day(TODAY)],
  [{ shipDate: null, placedAt: null, updatedAt: null }, day(TODAY), day('2030-02-06'), day(TODAY)],
  [{ placedAt: '-1d' }, day('2030-02-02'), day('2030-02-05'), day('2030-02-02')],
  [{ shipDate: '-10d' }, day(TODAY), day('2030-01-24'), day(TODAY)],
  [{ shipDate: '+99999m', placedAt: '-0d' }, day(TODAY), '2030-04-13T10:39:00.000Z', day(TODAY)],
  [{ placedAt: '+1h' }, '2030-02-03T01:00:00.000Z', '2030-02-06T01:00:00.000Z', '2030-02-03T01:00:00.000Z'],
  [{ placedAt: '2031-01-01T02:00:00+02:00' }, day('2031-01-01'), day('2031-01-04'), day('2031-01-01')],
  [{ status: 'shipped' }, day(TODAY), day(TODAY), day(TODAY)],
  [{ status: 'shipped', shipDate: '-5d' }, day('2030-01-29'), day('2030-01-29'), day('2030-01-29')],
  [{ status: 'shipped', shipDate: '+5d' }, day(TODAY), day('2030-02-08'), day('2030-02-08')],
  [{ status: 'shipped', placedAt: '-9d' }, day('2030-01-25'), day('2030-01-25'), day('2030-01-25')],
  [
    { status: 'shipped', placedAt: '-2d', shipDate: '-2d' },
    day('2030-02-01'),
    day('2030-02-01'),
    day('2030-02-01'),
  ],
  [{ status: 'delivered' }, day(TODAY), day(TODAY), day(TODAY)],
  [{ status: 'delivered', shipDate: '-5d' }, day('2030-01-29'), day('2030-01-29'), day('2030-01-29')],
  [
    { status: 'delivered', shipDate: '-5d', updatedAt: '-5d' },
    day('2030-01-29'),
    day('2030-01-29'),
    day('2030-01-29'),
  ],
  [
    { status: 'delivered', placedAt: '-9d', updatedAt: '-1d' },
    day('2030-01-25'),
    day('2030-01-25'),
    day('2030-02-02'),
  ],
  [{ status: 'cancelled' }, day(TODAY), day('2030-02-06'), day(TODAY)],
  [{ status: 'cancelled', placedAt: '-9d' }, day('2030-01-25'), day('2030-01-28'), day('2030-01-25')],
  [
    { status: 'cancelled', placedAt: '-9d', updatedAt: '-9d' },
    day('2030-01-25'),
    day('2030-01-28'),
    day('2030-01-25'),
  ],
];

/** Orders that are 422, and the field that the message names. */
const inconsistent: readonly [order: object, field: string][] = [
  [{ status: 'shipped', placedAt: '+1d', shipDate: '+0d' }, 'shipDate'],
  [{ status: 'delivered', placedAt: '+1d', shipDate: '+0d' }, 'shipDate'],
  [{ status: 'delivered', shipDate: '+2d', updatedAt: '+1d' }, 'updatedAt'],
  [{ status: 'cancelled', placedAt: '+1d', updatedAt: '+0d' }, 'updatedAt'],
  [{ updatedAt: '+1d' }, 'updatedAt'],
  [{ status: 'pending', updatedAt: '+1d' }, 'updatedAt'],
  [{ status: 'shipped', updatedAt: '+1d' }, 'updatedAt'],
  ...['3d', '+d', '+3', '+3w', '+123456m', '+1.5d', '+3D', ' +3d', '+3d ', 'today', '2030-02-03'].flatMap(
    (text): [object, string][] => [
      [{ shipDate: text }, 'shipDate'],
      [{ placedAt: text }, 'placedAt'],
    ],
  ),
  [{ shipDate: '-99999d', placedAt: '+0d', status: 'shipped' }, 'shipDate'],
  [{ petId: 2 }, 'petId'],
  [{ id: 0 }, 'id'],
];

/** The fields of custom data: dates and their defaults, types, ids and order. */
export function customDataChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'own-data', 'custom data', 'get /sandbox/data');
  const { v2, client } = context.staging ?? context;
  const restoreAtEnd = once(async () =>
    v2.onCleanUp(() => v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}')),
  );
  const reset = async (body: object) => {
    await restoreAtEnd();
    return v2.send('POST', '/sandbox/reset', JSON.stringify(body));
  };
  const fill = (orders: object[], pets: object[] = [pet]) =>
    reset({ today: TODAY, data: { pets, orders: orders.map((one) => ({ petId: 1, quantity: 1, ...one })) } });

  check('dates', 'each date of an order: given, relative to `today`, or by default', async () => {
    expectStatus(await fill(dates.map(([order]) => order)), 200);
    const { data } = pageOf(await v2.get('/store/orders?limit=1000'));
    for (const [index, [order, placedAt, shipDate, updatedAt]] of dates.entries()) {
      const shown = data[index];
      equal(
        [shown?.placedAt, shown?.shipDate, shown?.updatedAt],
        [placedAt, shipDate, updatedAt],
        'placedAt, shipDate and updatedAt',
        JSON.stringify(order),
      );
    }
  });
  check(
    'histories',
    'a history is “every status the order has had and when it reached it, oldest first”, also of statuses at the same time',
    async () => {
      expectStatus(await fill(dates.map(([order]) => order)), 200);
      const { data } = pageOf(await v2.get('/store/orders?limit=1000'));
      for (const [index, [order, placedAt, shipDate, updatedAt]] of dates.entries()) {
        const { status = 'pending' } = order as { status?: string };
        const history = [{ status: 'pending', at: placedAt }];
        if (status === 'shipped' || status === 'delivered') history.push({ status: 'shipped', at: shipDate });
        if (status === 'delivered' || status === 'cancelled') history.push({ status, at: updatedAt });
        const response = await v2.get(`/store/orders/${data[index]?.id}/history`);
        equal(
          objectOf(response).data,
          history,
          'the history',
          `${response.request} ${JSON.stringify(order)}`,
        );
      }
    },
  );
  check('now', '`placedAt` by default: “00:00 UTC of `today` if given, otherwise now”', async () => {
    const orders = [{}, { shipDate: '+0d' }].map((one) => ({ petId: 1, quantity: 1, ...one }));
    const response = await reset({ data: { pets: [pet], orders } });
    expectStatus(response, 200);
    const [first, second] = pageOf(await v2.get('/store/orders')).data;
    const date = Date.parse(response.headers.date ?? '');
    const apart = Math.abs(Date.parse(String(first?.placedAt)) - date);
    equal(apart < 60_000, true, 'placed now:', `${first?.placedAt}`);
    const today = new Date(date).toISOString().slice(0, 10);
    const atMidnight = String(second?.shipDate);
    // The reset may have run before midnight, and its response may have been dated after it.
    const isToday =
      atMidnight === day(today) || Date.parse(day(today)) - Date.parse(atMidnight) === 86_400_000;
    equal(
      isToday && (atMidnight === day(today) || date % 86_400_000 < 60_000),
      true,
      '00:00 UTC of today:',
      atMidnight,
    );
  });
  check(
    'inconsistent',
    'dates out of order, `updatedAt` of a state that is not final, and offsets of another form are 422 `invalid_data`',
    async () => {
      expectStatus(await fill([{ quantity: 7 }]), 200);
      const before = (await v2.get('/sandbox/data')).text;
      for (const [order, field] of inconsistent) {
        const response = await fill([{}, order]);
        expectError(response, 422, 'invalid_data');
        const { message } = objectOf(response, 422);
        equal(
          String(message).includes(`orders[1].${field}`),
          true,
          `a message that names orders[1].${field}:`,
          `${JSON.stringify(order)} ${message}`,
        );
      }
      equal((await v2.get('/sandbox/data')).text, before, 'the data');
    },
  );
  check(
    'fields',
    'a wrong JSON type, a missing or an unknown field of a pet or an order is 400 `invalid_body`; an invalid value is 422 `invalid_data`',
    async () => {
      const document = (await v2.document.read()) as Json;
      const dates = { placedAt: '+0d', shipDate: '+1d', updatedAt: '+2d' };
      const order = { id: 1, petId: 1, quantity: 1, status: 'delivered', ...dates };
      for (const [list, schemaName, valid] of [
        ['pets', 'OwnPet', pet],
        ['orders', 'OwnOrder', order],
      ] as const) {
        const schema = resolved({ $ref: `#/components/schemas/${schemaName}` }, document);
        for (const { body, pointer = '' } of violationsOf(valid, schema, document)) {
          const name = unescapeToken(pointer.slice(1));
          const value = (body as Json)[name];
          const type = typeof (valid as Json)[name];
          const isOfType = typeof value === type && (type !== 'number' || Number.isInteger(value));
          const rows = { pets: [pet], orders: [] as object[], [list]: [body] };
          const response = await reset({ data: rows });
          if (!isOfType) expectError(response, 400, 'invalid_body');
          // Whether an integer beyond int64 is of the type `integer` is left open.
          else if (value !== 2 ** 63) expectError(response, 422, 'invalid_data');
          const { pointer: place } = objectOf(response, response.status);
          equal(place, `/data/${list}/0${pointer}`, 'pointer', `${response.request} ${JSON.stringify(body)}`);
        }
      }
      for (const data of [
        {},
        { pets: [] },
        { orders: [] },
        { pets: {}, orders: [] },
        { pets: [], orders: [], more: 1 },
        { pets: [1], orders: [] },
        { pets: [], orders: [[]] },
        [],
        null,
        'data',
      ])
        expectError(await reset({ data }), 400, 'invalid_body');
    },
  );
  check(
    'ids',
    '“New ids follow the largest given id, ignoring ids close to 2^63”; lists and exports are sorted by id',
    async () => {
      const send = (text: string) => v2.send('POST', '/sandbox/reset', text);
      await restoreAtEnd();
      const ids = ['9223372036854775807', '41', '9223372036854775806', '7'];
      const pets = ids.map((id) => `{"id":${id},"name":"A","category":"b","stock":5}`);
      const orders = ids.map((id) => `{"id":${id},"petId":${id},"quantity":1}`);
      const extra = '{"petId":42,"quantity":1}';
      const newPet = '{"name":"A","category":"b","stock":5}';
      const data = `"data":{"pets":[${[...pets, newPet]}],"orders":[${[extra, ...orders]}]}`;
      expectStatus(await send(`{${data}}`), 200);
      const sorted = [7n, 41n, 42n, 9223372036854775806n, 9223372036854775807n];
      const exported = objectOf(await v2.get('/sandbox/data')) as { pets: Fields[]; orders: Fields[] };
      equal([idsOf(exported.pets), idsOf(exported.orders)], [sorted, sorted], 'the exported ids');
      for (const path of ['/store/orders', '/pets'])
        equal(idsOf(jsonOf(await client.send({ path })) as Fields[]), sorted, 'the ids', `GET ${path}`);
      equal([(await v2.place(7n)).id, await v2.newPet(0)], [43n, 43n], 'the next ids');
    },
  );
  check(
    'most-rows',
    `custom data has at most ${MAX_ROWS} pets and ${MAX_ROWS} orders: one more is 400 \`invalid_body\``,
    async () => {
      const bodyOf = (pets: number, orders: number) => {
        const pet = '{"name":"A","category":"b","stock":0}';
        const order = '{"petId":1,"quantity":1}';
        return `{"data":{"pets":[${Array(pets).fill(pet)}],"orders":[${Array(orders).fill(order)}]}}`;
      };
      await restoreAtEnd();
      for (const [pets, orders] of [
        [MAX_ROWS + 1, 0],
        [1, MAX_ROWS + 1],
      ] as const)
        expectError(await v2.send('POST', '/sandbox/reset', bodyOf(pets, orders)), 400, 'invalid_body');
    },
  );
}
