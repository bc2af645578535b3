import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { ensure, equal, expectError, expectNoBody, expectStatus } from '../expect.ts';
import { cancel, expectSameOrders, without } from '../orders.ts';

export function stateChecks(suite: Suite, { client, orders, cancellation, v2 }: Context): void {
  const { documented, check } = suite.section('v1.states', 'States and transitions');

  documented(
    'pending-cancelled',
    '`pending`, `cancelOrder`, “Order exists”: “Order is cancelled”, “Responds 204 with no body.”',
    async () => {
      const { response } = await cancellation();
      expectStatus(response, 204);
      expectNoBody(response);
    },
  );

  documented(
    'gone-from-list',
    'a cancelled order is no longer listed, and the others are unchanged',
    async () => {
      const { order, before, after } = await cancellation();
      ensure(before.length === after.length + 1, 'one order fewer', after.length - before.length);
      expectSameOrders(after, without(before, order));
    },
  );

  documented(
    'cancelled-twice',
    '`cancelled` is final: a second `cancelOrder` is 404 and changes nothing',
    async () => {
      const { again, after, afterAgain } = await cancellation();
      expectError(again, 404, 'not_found');
      expectSameOrders(afterAgain, after);
    },
  );

  documented(
    'shipped-refused',
    'shipped, `cancelOrder`, “Order has already shipped”: “Responds 409.”',
    async () => {
      const shipped = await orders.shipped();
      ensure(!shipped.complete, 'an undelivered order, so not complete', shipped);
      expectError(await cancel(client, shipped.id), 409, 'order_already_shipped');
    },
  );

  documented('shipped-unchanged', 'shipped, after the rejection: “Unchanged”', async () => {
    const before = await orders.list();
    const shipped = await orders.shipped();
    expectStatus(await cancel(client, shipped.id), 409);
    expectSameOrders((await orders.list()).orders, before.orders);
    ensure(
      before.orders.some(({ id }) => id === shipped.id),
      'the order in the list',
      'no such order',
    );
  });

  documented(
    'refused-again',
    '“Shipping cannot be reversed”: a second attempt is rejected, too',
    async () => {
      const { id } = await orders.shipped();
      for (let times = 0; times < 3; times += 1)
        expectError(await cancel(client, id), 409, 'order_already_shipped');
    },
  );

  documented(
    'delivered-refused',
    '“Only orders with status `pending` can be cancelled”: every delivered order is rejected',
    async () => {
      const before = await orders.list();
      for (const order of before.orders.filter(({ complete }) => complete)) {
        expectError(await cancel(client, order.id), 409, 'order_already_shipped');
      }
      expectSameOrders((await orders.list()).orders, before.orders);
    },
  );

  suite
    .section('v1.states', 'States and transitions', 'all')
    .check('cancelled-by-v2', 'an order cancelled through version 2 is gone as well', async () => {
      await v2.require();
      const before = await orders.list();
      const { id } = await v2.place(await v2.newPet(1));
      expectStatus(await v2.send('DELETE', `/store/orders/${id}`), 204);
      expectSameOrders((await orders.list()).orders, before.orders);
      expectError(await cancel(client, id), 404, 'not_found');
    });

  check('twenty-at-once', 'twenty concurrent cancels of one order: one 204, nineteen 404', async () => {
    const { responses } = await orders.cancelPending(({ id }) =>
      Promise.all(Array.from({ length: 20 }, () => cancel(client, id))),
    );
    const statuses = responses.map(({ status }) => status).sort();
    equal(statuses, [204, ...Array<number>(19).fill(404)], 'the statuses');
  });
}
