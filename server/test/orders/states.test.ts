import { describe, expect, it } from 'vitest';
import { orderStatuses } from '../../src/domain/vocabulary.ts';
import { type Transition, transitions } from '../../src/orders/states.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { type Client, etagOf, type Order, openClient, unitsOf } from '../support/v2.ts';

/** The request of each transition, and its status on success. */
const requests: Record<Transition, { request: (id: bigint) => string; done: number }> = {
  ship: { request: (id) => `POST /v2/store/orders/${id}/ship`, done: 200 },
  deliver: { request: (id) => `POST /v2/store/orders/${id}/deliver`, done: 200 },
  cancel: { request: (id) => `DELETE /v2/store/orders/${id}`, done: 204 },
};

/** The entire state machine, written by hand: the expected result of the program's own table. */
const table: Record<(typeof orderStatuses)[number], Record<Transition, string>> = {
  pending: { ship: 'shipped', deliver: 'invalid_transition', cancel: 'cancelled' },
  shipped: { ship: 'invalid_transition', deliver: 'delivered', cancel: 'order_already_shipped' },
  delivered: { ship: 'invalid_transition', deliver: 'invalid_transition', cancel: 'order_already_shipped' },
  cancelled: { ship: 'invalid_transition', deliver: 'invalid_transition', cancel: 'order_already_cancelled' },
};
const path: Record<(typeof orderStatuses)[number], Transition[]> = {
  pending: [],
  shipped: ['ship'],
  delivered: ['ship', 'deliver'],
  cancelled: ['cancel'],
};
const cases = orderStatuses.flatMap((from) =>
  (Object.keys(transitions) as Transition[]).map((transition) => ({
    from,
    transition,
    result: table[from][transition],
  })),
);

async function orderIn(client: Client, status: (typeof orderStatuses)[number]): Promise<bigint> {
  const { id } = (await client('POST /v2/store/orders', { body: { petId: 5, quantity: 3 } })).json<Order>();
  for (const step of path[status]) await client(requests[step].request(id));
  return id;
}

describe.each(engines)('the state machine on $name', (engine) => {
  const service = useService(engine);

  it.each(cases)('$transition of a $from order: $result', async ({ from, transition, result }) => {
    const { client } = await openClient(service());
    const units = await unitsOf(client);
    const id = await orderIn(client, from);
    const before = await client(`GET /v2/store/orders/${id}`);
    const etag = await etagOf(client);
    const response = await client(requests[transition].request(id));
    const after = await client(`GET /v2/store/orders/${id}`);
    if (orderStatuses.some((status) => status === result)) {
      expect(response.status).toBe(requests[transition].done);
      expect(after.json<Order>().status).toBe(result);
      expect(transitions[transition]).toMatchObject({ from, to: result });
    } else {
      expect(response.error()).toMatchObject({ code: result, status: 409n });
      expect(after.text).toBe(before.text);
      expect(await etagOf(client)).toBe(etag);
    }
    expect(await unitsOf(client)).toEqual(units);
  });
});

const NOON = Date.parse('2026-11-15T12:00:00.000Z');

describe.each(engines)('a clock that goes back on $name', (engine) => {
  let now = NOON;
  const service = useService(engine, { now: () => now });

  it.each([
    ['cancelled', ['cancel']],
    ['delivered', ['ship', 'deliver']],
  ] as const)('does not take the times of an order back with it: %s', async (status, steps) => {
    now = NOON;
    const { client } = await openClient(service());
    const { id } = (await client('POST /v2/store/orders', { body: { petId: 5, quantity: 3 } })).json<Order>();
    for (const step of steps) {
      now -= 60_000;
      await client(requests[step].request(id));
    }
    const order = (await client(`GET /v2/store/orders/${id}`)).json<Order>();
    expect(order).toMatchObject({ status, updatedAt: order.placedAt });
    if (status === 'delivered') expect(order.shipDate).toBe(order.placedAt);
    const history = (await client(`GET /v2/store/orders/${id}/history`)).json<{ data: { at: string }[] }>();
    const times = history.data.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });
});

describe.each(engines)('the history of an order on $name', (engine) => {
  let now = NOON;
  const service = useService(engine, { now: () => now });

  it.each(orderStatuses)('shows when each state began: %s', async (status) => {
    now = NOON;
    const { client } = await openClient(service());
    const { id } = (await client('POST /v2/store/orders', { body: { petId: 5, quantity: 3 } })).json<Order>();
    const times = [new Date(now).toISOString()];
    for (const step of path[status]) {
      now += 60_000;
      times.push(new Date(now).toISOString());
      await client(requests[step].request(id));
    }
    const history = (await client(`GET /v2/store/orders/${id}/history`)).json<{ data: { at: string }[] }>();
    expect(history.data.map(({ at }) => at)).toEqual(times);
  });
});
