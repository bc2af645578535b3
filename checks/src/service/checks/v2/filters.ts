import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { equal } from '../../expect.ts';
import { idsOf, type Order, orderSorts, pageOf } from '../../v2.ts';
import { expectErrorNaming } from './pages.ts';
import { createSampleOrders, dates } from './sample-orders.ts';
import { sectionOf } from './section.ts';

export function filterChecks(suite: Suite, { v2 }: Context): void {
  const { check } = sectionOf(suite, v2, 'filters', 'filters and sort');
  const sampleOrders = once(() => createSampleOrders(v2));

  /** Expects the query to return exactly the sample orders that satisfy the predicate. */
  const expectFound = async (query: string, test: (order: Order) => boolean) => {
    const { path, orders } = await sampleOrders();
    const { items } = await v2.walk(`${path}&${query}`);
    equal(idsOf(items), idsOf(orders.filter(test)), 'the orders', `GET /v2/store/orders?petId=…&${query}`);
  };
  const expectRejected = async (name: string, values: string[]) => {
    for (const value of values) {
      expectErrorNaming(
        await v2.get(`/store/orders?${name}=${encodeURIComponent(value)}`),
        'invalid_parameter',
        name,
      );
    }
  };

  for (const status of ['pending', 'shipped', 'delivered', 'cancelled']) {
    check(`status.${status}`, `\`status=${status}\` returns only orders in that state`, () =>
      expectFound(`status=${status}`, (order) => order.status === status),
    );
  }
  check(
    'status.several',
    '`status` takes several values, separated by commas or as repeated parameters',
    async () => {
      const either = ({ status }: Order) => status === 'pending' || status === 'cancelled';
      await expectFound('status=pending,cancelled', either);
      await expectFound('status=cancelled&status=pending', either);
    },
  );
  check('status.unknown', 'an unknown status is 400 `invalid_parameter`, naming it', () =>
    expectRejected('status', ['lost', 'PENDING', '', 'pending,lost', 'pending,']),
  );
  check('pet', '`petId` returns the orders for that pet and no others', async () => {
    const { petId, orders } = await sampleOrders();
    const { items } = await v2.walk('/store/orders?limit=1000');
    equal(
      idsOf(items.filter((order) => order.petId === petId)),
      idsOf(orders),
      'the orders for the pet among all',
    );
    await expectFound('limit=3', () => true);
    equal(pageOf(await v2.get('/store/orders?petId=987654321')).data, [], 'orders for a missing pet');
  });
  check('pet.malformed', 'a `petId` other than a plain int64 is 400 `invalid_parameter`, naming it', () =>
    expectRejected('petId', ['abc', '1.0', '+1', '01', '', '9223372036854775808', '1,2']),
  );
  check('complete', '`complete` is `true` for delivered orders, `false` for others', async () => {
    await expectFound('complete=true', ({ status }) => status === 'delivered');
    await expectFound('complete=false', ({ status }) => status !== 'delivered');
    await expectRejected('complete', ['yes', '1', 'TRUE', '']);
  });
  check('ship-date-from', '`shipDateFrom` is inclusive, to the millisecond', async () => {
    await expectFound(`shipDateFrom=${dates.later}`, ({ shipDate }) => shipDate >= dates.later);
    await expectFound(`shipDateFrom=${dates.last}`, ({ shipDate }) => shipDate >= dates.last);
  });
  check('ship-date-to', '`shipDateTo` is exclusive, to the millisecond', async () => {
    await expectFound(`shipDateTo=${dates.later}`, ({ shipDate }) => shipDate < dates.later);
    await expectFound(`shipDateTo=${dates.last}`, ({ shipDate }) => shipDate < dates.last);
  });
  check('dates', 'dates are RFC 3339, with any offset; `+0000` is accepted as `+00:00`', async () => {
    const isLater = ({ shipDate }: Order) => shipDate >= dates.later;
    for (const date of [
      '2031-03-02T05:30:00%2B05:30',
      '2031-03-02T00:00:00%2B0000',
      '2031-03-01T23:00:00-01:00',
    ]) {
      await expectFound(`shipDateFrom=${date}`, isLater);
    }
    await expectRejected('shipDateFrom', [
      '2031-03-02',
      '2031-03-02T00:00:00',
      'tomorrow',
      '2031-02-30T00:00:00Z',
      '',
    ]);
    await expectRejected('shipDateTo', ['0', '2031-13-01T00:00:00Z']);
  });
  check('together', 'filters are combined with AND', async () => {
    await expectFound(
      `status=pending&shipDateFrom=${dates.middle}&shipDateTo=${dates.later}&complete=false`,
      ({ status, shipDate }) => status === 'pending' && shipDate >= dates.middle && shipDate < dates.later,
    );
    await expectFound('status=cancelled&complete=true', () => false);
  });

  for (const [sort, compare] of Object.entries(orderSorts)) {
    check(`sort.${sort}`, `\`sort=${sort}\` sorts the list, over all its pages`, async () => {
      const { path, orders } = await sampleOrders();
      for (const limit of [1000, 2]) {
        const { items } = await v2.walk(`${path}&sort=${sort}&limit=${limit}`);
        equal(
          idsOf(items),
          idsOf(orders.toSorted(compare)),
          'the orders',
          `GET …&sort=${sort}&limit=${limit}`,
        );
      }
    });
  }
  check('sort.unknown', 'an unknown `sort` is 400 `invalid_parameter`, naming it', () =>
    expectRejected('sort', ['quantity', 'ID', '--id', '+id', '', 'id,shipDate']),
  );
}
