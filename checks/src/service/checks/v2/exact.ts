import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectSameBody, expectStatus } from '../../expect.ts';
import { type Fields, idsOf, objectOf, orderIn, pageOf } from '../../v2.ts';
import { stagingSection } from './sandbox.ts';

const ids = [1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n].concat([
  2n ** 63n - 2n,
  2n ** 63n - 1n,
]);

/** 64-bit ids wherever version 2 returns or accepts them. */
export function exactChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'exact', 'exact ids', 'post /sandbox/reset');
  const { v2 } = context.staging ?? context;
  const withLargeIds = async (test: () => Promise<void>) => {
    expectStatus(await v2.send('POST', '/sandbox/reset', '{"dataSet":"int64"}'), 200);
    try {
      await test();
    } finally {
      await v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}');
    }
  };
  const petIdsOf = (items: readonly Fields[]) => items.map(({ petId }) => petId);

  check('everywhere', '64-bit ids are exact in pages, single resources, summary and exported data', () =>
    withLargeIds(async () => {
      const orders = pageOf(await v2.get('/store/orders?limit=1000')).data;
      equal([idsOf(orders), petIdsOf(orders)], [ids, ids], 'the ids of orders');
      equal(idsOf(pageOf(await v2.get('/pets?limit=1000')).data), ids, 'the ids of pets');
      for (const sort of ['-id', 'shipDate', '-shipDate']) {
        const { items } = await v2.walk(`/store/orders?sort=${sort}&limit=1`);
        equal(new Set(idsOf(items)), new Set(ids), `the ids of pages sorted by ${sort}`);
      }
      for (const id of ids) {
        equal((await v2.order(id)).petId, id, 'petId', `GET /store/orders/${id}`);
        equal(objectOf(await v2.get(`/pets/${id}`)).id, id, 'id', `GET /pets/${id}`);
      }
      equal(petIdsOf(objectOf(await v2.get('/store/summary')).stock as Fields[]), ids, 'the stock');
      const data = objectOf(await v2.get('/sandbox/data')) as { pets: Fields[]; orders: Fields[] };
      equal([idsOf(data.pets), idsOf(data.orders), petIdsOf(data.orders)], [ids, ids, ids], 'the data');
    }),
  );
  check('inputs', '64-bit ids are exact in bodies, filters and QUERY: each names its own pet', () =>
    withLargeIds(async () => {
      for (const id of ids) {
        const response = await v2.send('QUERY', '/store/orders', `{"petId":${id}}`);
        equal(petIdsOf(pageOf(response).data), [id], 'petId', `QUERY ${id}`);
        expectSameBody(await v2.send('QUERY', '/store/orders', `{"petId":${id}.0}`), response);
        expectStatus(await v2.send('PATCH', `/pets/${id}`, '{"stock":5}'), 200);
        equal((await v2.place(id)).petId, id, 'petId', `POST /store/orders ${id}`);
        equal(await v2.stockOf(id), 4n, 'stock', `GET /pets/${id}`);
        for (const text of [`${id}.0`, `${id}0e-1`]) {
          const placed = await v2.tryToPlace(`{"petId":${text},"quantity":1}`);
          equal(orderIn(placed, 201).petId, id, 'petId', `POST /store/orders ${text}`);
        }
      }
      for (const id of [2n, 2n ** 53n + 2n, 2n ** 63n - 3n])
        expectStatus(await v2.tryToPlace(`{"petId":${id},"quantity":1}`), 422);
    }),
  );
  check('changes', '64-bit ids are exact in changes, histories and events', () =>
    withLargeIds(async () => {
      const pending = pageOf(await v2.get('/store/orders?status=pending&limit=1000')).data;
      for (const { id } of pending)
        equal(objectOf(await v2.send('POST', `/store/orders/${id}/ship`)).id, id, 'id', `POST …/${id}/ship`);
      const { items } = await v2.walk('/store/events?after=0');
      const shipped = items.filter(({ type }) => type === 'order.shipped').map(({ data }) => data as Fields);
      equal(idsOf(shipped), idsOf(pending), 'the ids of events');
      equal(petIdsOf(shipped), petIdsOf(pending), 'the pets of events');
    }),
  );
  check('today', '`today` sets the current date of every data set; dates may be relative to it', async () => {
    const reset = (body: object) => v2.send('POST', '/sandbox/reset', JSON.stringify(body));
    const data = {
      pets: [{ name: 'Ada', category: 'cat', stock: 1 }],
      orders: [
        { petId: 1, quantity: 1 },
        ...['+3d', '-12h', '+30m'].map((shipDate) => ({ petId: 1, quantity: 1, shipDate })),
      ],
    };
    try {
      expectStatus(await reset({ today: '2030-02-03', data }), 200);
      const dates = pageOf(await v2.get('/store/orders')).data.map(({ shipDate }) => shipDate);
      const expected = ['2030-02-06T00:00', '2030-02-06T00:00', '2030-02-02T12:00', '2030-02-03T00:30'];
      equal(
        dates,
        expected.map((text) => `${text}:00.000Z`),
        'the dates',
      );
      const bodies = [];
      for (let times = 0; times < 2; times += 1) {
        expectStatus(await reset({ today: '2030-02-03', dataSet: 'default' }), 200);
        bodies.push((await context.staging?.client.send({ path: '/store/orders' }))?.text);
      }
      equal(bodies[0], bodies[1], 'the same list each time');
      ensure(/"shipDate":"2030-0[12]-/.test(bodies[0] ?? ''), 'dates around 2030-02-03', bodies[0]);
    } finally {
      await reset({ dataSet: 'default' });
    }
  });
}
