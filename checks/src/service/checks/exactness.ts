import { Inconclusive, once, type Suite } from '../check.ts';
import { type Context, petsIn } from '../context.ts';
import { ensure, equal, expectError, expectStatus, headerOf, jsonOf } from '../expect.ts';
import { cancel, expectSameOrders, ordersIn, without } from '../orders.ts';

const hardIds = [1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n];
hardIds.push(2n ** 63n - 2n, 2n ** 63n - 1n);
/** Neighbors of `hardIds`, which rounding would turn into one of these. */
const absentIds = [2n, 2n ** 32n + 1n, 2n ** 53n + 2n, 2n ** 53n - 2n, 2n ** 63n - 3n, 2n ** 63n - 512n];

const json = { 'Content-Type': 'application/json' };

export function exactnessChecks(suite: Suite, context: Context): void {
  dateChecks(suite, context);
  int64Checks(suite, context);
}

function dateChecks(suite: Suite, { client, orders, v2 }: Context): void {
  const { check } = suite.section('v1.exactness', 'Decisions: exactness', 'all');

  check(
    'placed-values',
    'an order is listed with exactly the values it was placed with, dates to the millisecond',
    async () => {
      await v2.require();
      const petId = await v2.newPet(1);
      const before = await orders.list();
      const { id } = await v2.place(petId, 1, '2031-02-03T04:35:06.789+05:30');
      const after = await orders.list();
      const shipDate = '2031-02-02T23:05:06.789Z';
      equal(after.orders.at(-1), { id, petId, quantity: 1n, shipDate, complete: false }, 'the order');
      expectStatus(await cancel(client, id), 204);
      expectSameOrders((await orders.list()).orders, before.orders);
    },
  );

  check(
    'shipping-date',
    'a shipped order has the time it shipped as its `shipDate`, and a delivered one is complete',
    async () => {
      await v2.require();
      const { id } = await v2.place(await v2.newPet(1), 1, '2031-02-03T04:05:06Z');
      const path = `/store/orders/${id}`;
      const ship = { method: 'POST', prefix: client.v2, path: `${path}/ship` };
      const shipped = await client.send(ship);
      expectStatus(shipped, 200);
      const listed = async () => (await orders.list()).orders.find((order) => order.id === id);
      const { shipDate = '', complete } = (await listed()) ?? {};
      // Clocks of several servers behind one address may differ a little.
      const apart = Math.abs(Date.parse(shipDate) - Date.parse(headerOf(shipped, 'Date')));
      equal(
        { complete, isNow: apart < 60_000 },
        { complete: false, isNow: true },
        'the current time as `shipDate`',
        shipDate,
      );
      expectError(await cancel(client, id), 409, 'order_already_shipped');
      expectStatus(await client.send({ ...ship, path: `${path}/deliver` }), 200);
      const delivered = await listed();
      equal(delivered, { ...delivered, shipDate, complete: true }, 'the delivered order');
    },
  );
}

/** On staging, whose sandbox has a data set with IDs that are hard to keep exact. */
function int64Checks(suite: Suite, { staging }: Context): void {
  const { check, inconclusive } = suite.section('v1.exactness', 'Decisions: exactness', 'all');
  const sentences = {
    lists: '64-bit ids are exact in both lists, even those that differ only in their last digit',
    'pet-ids': '`petId` is as exact as `id`: each of these orders is for the pet with the same ID',
    pets: 'each 64-bit id in a path finds its own pet, and neighboring ids find none',
    cancels: 'each 64-bit id cancels its own order and no other',
  };
  if (!staging) {
    for (const [id, sentence] of Object.entries(sentences)) {
      inconclusive(id, sentence, 'needs --staging-url and --staging-key');
    }
    return;
  }
  const { client } = staging;
  const reset = async (dataSet: string) => {
    const call = { method: 'POST', prefix: client.v2, path: '/sandbox/reset', headers: json };
    const response = await client.send({ ...call, body: `{"dataSet":"${dataSet}"}` });
    if (response.status === 404) throw new Inconclusive('the service has no sandbox');
    expectStatus(response, 200);
  };
  /** The service's responses for the data set `int64`. Ends with a reset to the demonstration data. */
  const responses = once(async () => {
    await reset('int64');
    try {
      const orders = ordersIn(await client.send({ path: '/store/orders' }));
      const pets = petsIn(await client.send({ path: '/pets' }));
      const found = [];
      for (const id of hardIds) found.push(await client.send({ path: `/pets/${id}` }));
      const absent = [];
      for (const id of absentIds) {
        absent.push(await client.send({ path: `/pets/${id}` }), await cancel(client, id));
      }
      const cancels = [];
      for (const id of hardIds) {
        const response = await cancel(client, id);
        cancels.push({ id, response, left: ordersIn(await client.send({ path: '/store/orders' })) });
      }
      return { orders, pets, found, absent, cancels };
    } finally {
      await reset('default');
    }
  });

  check('lists', sentences.lists, async () => {
    const { orders, pets } = await responses();
    const ids = (items: { id?: unknown }[]) => items.map(({ id }) => id);
    equal(ids(orders), hardIds, 'the orders');
    equal(ids(pets), hardIds, 'the pets');
  });
  check('pet-ids', sentences['pet-ids'], async () => {
    const { orders } = await responses();
    equal(
      orders.map(({ petId }) => petId),
      hardIds,
      'the pets of the orders',
    );
  });
  check('pets', sentences.pets, async () => {
    const { pets, found, absent } = await responses();
    equal(
      found.map((response) => jsonOf(response)),
      pets,
      'the pets',
    );
    for (const response of absent) expectError(response, 404, 'not_found');
  });
  check('cancels', sentences.cancels, async () => {
    const { orders, cancels } = await responses();
    let expected = orders;
    for (const { id, response, left } of cancels) {
      const order = orders.find((each) => each.id === id);
      if (response.status === 204 && order) expected = without(expected, order);
      else expectError(response, 409, 'order_already_shipped');
      expectSameOrders(left, expected);
    }
    const cancelled = orders.length - expected.length;
    ensure(cancelled >= 3, 'at least three cancelled orders', cancelled);
  });
}
