import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoBody,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../../expect.ts';
import { missingId, orderFields } from '../../orders.ts';
import { idsOf, type Order, objectOf, orderIn } from '../../v2.ts';
import { sectionOf } from './section.ts';

const states = ['pending', 'shipped', 'delivered', 'cancelled'];
const verbs = { ship: 'POST', deliver: 'POST', cancel: 'DELETE' } as const;
type Verb = keyof typeof verbs;

/** The result of each verb in each state: the next state, or the code of the 409. */
const transitions: Record<string, Record<Verb, string>> = {
  pending: { ship: 'shipped', deliver: 'invalid_transition', cancel: 'cancelled' },
  shipped: { ship: 'invalid_transition', deliver: 'delivered', cancel: 'order_already_shipped' },
  delivered: { ship: 'invalid_transition', deliver: 'invalid_transition', cancel: 'order_already_shipped' },
  cancelled: { ship: 'invalid_transition', deliver: 'invalid_transition', cancel: 'order_already_cancelled' },
};
/** The verbs that move a placed order to a state. */
const verbsTo: Record<string, Verb[]> = {
  pending: [],
  shipped: ['ship'],
  delivered: ['ship', 'deliver'],
  cancelled: ['cancel'],
};

export function orderChecks(suite: Suite, { v2, orders }: Context): void {
  const { check } = sectionOf(suite, v2, 'orders', 'an order and its states');
  const pet = once(() => v2.newPet(1000));
  const act = (verb: Verb, id: bigint | string) =>
    v2.send(verbs[verb], `/store/orders/${id}${verb === 'cancel' ? '' : `/${verb}`}`);
  const createOrder = async (state: string) => {
    const { id } = await v2.place(await pet(), 2, '2031-02-03T04:05:06.000Z');
    for (const verb of verbsTo[state] ?? []) expectStatus(await act(verb, id), 200, 204);
    return v2.order(id);
  };
  const historyOf = async (id: bigint) =>
    objectOf(await v2.get(`/store/orders/${id}/history`)).data as { status: string; at: string }[];

  check('every', 'every order has `status`, and is `complete` when `delivered` and not before', async () => {
    const { items } = await v2.walk('/store/orders?limit=1000');
    for (const order of items) {
      ensure(states.includes(String(order.status)), `one of ${states.join(', ')}`, order.status);
      equal(order.complete, order.status === 'delivered', `\`complete\` of an order that is ${order.status}`);
    }
  });
  check(
    'same-in-v1',
    'v1 lists the same orders except cancelled ones, with the same five values',
    async () => {
      const { items } = await v2.walk('/store/orders?limit=1000');
      const uncancelled = items.filter(({ status }) => status !== 'cancelled');
      const expected = uncancelled.map((order) =>
        Object.fromEntries(orderFields.map((field) => [field, order[field]])),
      );
      const { orders: listed } = await orders.list();
      equal(idsOf(listed), idsOf(expected), 'the orders');
      for (const [index, order] of listed.entries()) equal(order, expected[index], 'the order');
    },
  );
  check(
    'get',
    '`GET /store/orders/{orderId}` returns the order in every state, including cancelled',
    async () => {
      for (const state of states) equal((await createOrder(state)).status, state, 'status');
    },
  );
  check('missing', 'a missing order or invalid ID is 404 `not_found` for every operation', async () => {
    for (const id of [String(missingId), 'abc', '1.0', '+1', '01', '9223372036854775808']) {
      expectError(await v2.get(`/store/orders/${id}`), 404, 'not_found');
      expectError(await v2.get(`/store/orders/${id}/history`), 404, 'not_found');
      for (const verb of ['ship', 'deliver', 'cancel'] as const)
        expectError(await act(verb, id), 404, 'not_found');
    }
  });

  for (const [state, outcomes] of Object.entries(transitions)) {
    for (const verb of ['ship', 'deliver', 'cancel'] as const) {
      const outcome = outcomes[verb];
      const isAllowed = states.includes(outcome);
      const sentence = isAllowed
        ? `it is \`${outcome}\` from then on`
        : `409 \`${outcome}\`, and nothing changes`;
      check(`${verb}.${state}`, `${verb} an order that is \`${state}\`: ${sentence}`, async () => {
        const before = await createOrder(state);
        const response = await act(verb, before.id);
        const after = await v2.order(before.id);
        if (!isAllowed) {
          expectError(response, 409, outcome);
          equal(after, before, 'the order', response.request);
          return;
        }
        equal(after.status, outcome, 'status', response.request);
        if (verb === 'cancel') {
          expectStatus(response, 204);
          expectNoBody(response);
        } else equal(orderIn(response), after, 'the order as it is from then on', response.request);
      });
    }
  }

  check('ship-date', '`shipDate` is the actual one once shipped; `complete` is set on delivery', async () => {
    const { id } = await createOrder('pending');
    const response = await act('ship', id);
    const shipped = orderIn(response);
    const apart = Math.abs(Date.parse(shipped.shipDate) - Date.parse(headerOf(response, 'Date')));
    ensure(apart < 60_000, 'the current time as `shipDate`', shipped.shipDate, response.request);
    equal([shipped.complete, shipped.updatedAt], [false, shipped.shipDate], '`complete` and `updatedAt`');
    const delivered = orderIn(await act('deliver', id));
    const expected = { shipDate: shipped.shipDate, complete: true, placedAt: shipped.placedAt };
    equal(delivered, { ...delivered, ...expected }, 'the order', 'deliver');
  });
  check('body-ignored', 'a body on ship or deliver, or a content type without one, is ignored', async () => {
    const { id } = await createOrder('pending');
    const send = (verb: string, type: string, body?: string) =>
      v2.send('POST', `/store/orders/${id}/${verb}`, body, { 'Content-Type': type });
    expectStatus(await send('ship', 'text/xml', '{"shipDate":'), 200);
    expectStatus(await send('deliver', 'application/json'), 200);
  });
  for (const verb of ['ship', 'cancel'] as const) {
    check(`${verb}.at-once`, `ten concurrent requests to ${verb}: one succeeds, nine are 409`, async () => {
      const { id } = await createOrder('pending');
      const responses = await Promise.all(Array.from({ length: 10 }, () => act(verb, id)));
      const statuses = responses.map(({ status }) => status).sort();
      equal(statuses, [verb === 'ship' ? 200 : 204, ...Array<number>(9).fill(409)], 'the statuses');
    });
  }
  check('history', '`…/history` lists every state with its time', async () => {
    for (const state of states) {
      const order: Order = await createOrder(state);
      const history = await historyOf(order.id);
      const expected = [
        'pending',
        ...(verbsTo[state] ?? []).map((verb) => transitions[stateBefore(verb)]?.[verb]),
      ];
      equal(
        history.map(({ status }) => status),
        expected,
        'the states',
        `the history of an order that is ${state}`,
      );
      equal(
        [history[0]?.at, history.at(-1)?.at],
        [order.placedAt, order.updatedAt],
        'the first and the last time',
      );
      const times = history.map(({ at }) => at);
      equal(times, times.toSorted(), 'the times');
    }
  });
  check('cancelled-in-v1', 'an order cancelled in version 2 is not listed in v1, and 404 there', async () => {
    const { id } = await createOrder('cancelled');
    const { orders: listed } = await orders.list();
    ensure(!idsOf(listed).includes(id), 'a list without it', `order ${id}`);
    expectError(await v2.client.send({ method: 'DELETE', path: `/store/orders/${id}` }), 404, 'not_found');
  });
  check('foreign-alike', '404 is the same for every missing order', async () => {
    expectSameBody(
      await v2.get('/store/orders/9223372036854775807'),
      await v2.get(`/store/orders/${missingId}`),
    );
  });
}

const stateBefore = (verb: Verb) => (verb === 'deliver' ? 'shipped' : 'pending');
