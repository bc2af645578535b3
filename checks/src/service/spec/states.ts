import type { Suite } from '../check.ts';
import { ensure, expectNoBody, expectStatus } from '../expect.ts';
import { expectErrorObjectIfAny, expectRejection, type Fields, integerOf } from './expect.ts';
import { changesOf } from './lists.ts';
import type { Store } from './store.ts';

/** Complete orders whose cancellation is attempted. */
const MAX_COMPLETE = 3;

export function stateChecks(suite: Suite, store: Store): void {
  const { documented } = suite.section('spec.states', 'States and transitions');
  const { client } = store;
  const expectConflicts = async (pick: 'first' | 'all') => {
    const { responses } = await store.rejection();
    for (const response of pick === 'first' ? responses.slice(0, 1) : responses)
      expectErrorObjectIfAny(response, 409);
  };

  documented('pending', '“An order has a status”: one that is `pending` can be cancelled', async () => {
    expectStatus((await store.cancellation()).response, 204);
  });
  documented(
    'pending-cancelled',
    '`pending`, `cancelOrder`: “Order is cancelled. Responds 204 with no body.”',
    async () => {
      const { response, again } = await store.cancellation();
      expectStatus(response, 204);
      expectNoBody(response);
      // A second success would mean that the first one changed nothing.
      expectRejection(again);
    },
  );
  documented('only-that-one', '`cancelOrder` changes no other order', async () => {
    const { id, before, response, after } = await store.cancellation();
    expectStatus(response, 204);
    const { removed, added } = changesOf(before, after);
    const others = [...removed, ...added].filter((order) => integerOf((order as Fields).id) !== id);
    ensure(others.length === 0, `no change except to order ${id}`, others, 'GET /store/orders');
  });
  documented('shipped-rejected', 'shipped, `cancelOrder`: “Responds 409.”', () => expectConflicts('first'));
  documented('shipped-unchanged', 'shipped, `cancelOrder`: “Unchanged”', async () => {
    const { before, after } = await store.rejection();
    const { removed, added } = changesOf(before, after);
    ensure(
      removed.length + added.length === 0,
      'the same orders as before',
      [...removed, ...added],
      'GET /store/orders',
    );
  });
  documented('rejected-again', '“Shipping cannot be reversed”: every further `cancelOrder` is 409', () =>
    expectConflicts('all'),
  );
  documented(
    'only-pending',
    '“Only orders with status `pending` can be cancelled”: complete ones and cancelled ones are rejected',
    async () => {
      const { again } = await store.cancellation();
      expectRejection(again);
      const complete = (await store.orders()).filter(({ complete }) => complete === true);
      const ids = complete.flatMap(({ id }) => integerOf(id) ?? []);
      for (const id of ids.slice(0, MAX_COMPLETE))
        expectErrorObjectIfAny(await client.send({ method: 'DELETE', path: `/store/orders/${id}` }), 409);
    },
  );
  documented('unauthorized', 'a `cancelOrder` without a valid key cancels nothing', async () => {
    const { unauthorized, before, afterUnauthorized } = await store.cancellation();
    for (const each of unauthorized) expectStatus(each, 401);
    const { removed, added } = changesOf(before, afterUnauthorized);
    ensure(
      removed.length + added.length === 0,
      'the same orders as before',
      [...removed, ...added],
      'GET /store/orders',
    );
  });
}
