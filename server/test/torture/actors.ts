import { randomUUID } from 'node:crypto';
import type { Response } from '../support/http.ts';
import { ExpectedState } from './expected-state.ts';

/** Sends a request to the running program; rejects if it dies before its response. */
export type Send = (
  request: string,
  sent?: { key?: string; body?: object; headers?: Record<string, string> },
) => Promise<Response>;

/** An actor that makes a sequence of changes, and can verify them all. */
export interface Actor {
  readonly expected: ExpectedState;
  step(send: Send): Promise<unknown>;
  verify(send: Send): Promise<string[]>;
}

/** The number of a trader's newest orders that are changed, and verified after each round. */
const NEWEST = 50;

/** Trades in its own pet, in a shared store: with v2, and cancels with v1 as well. */
export async function openTrader(send: Send, key: string, name: string): Promise<Actor> {
  const created = await send('POST /v2/pets', { key, body: { name, category: 'load', stock: 1000 } });
  const pet = created.json<{ id: bigint }>().id;
  const expected = new ExpectedState(name);
  expected.set([['stock', '1000']]);
  let stock = 1000;
  let orders: Array<{ id: bigint; quantity: number }> = [];
  let placing: { quantity: number; once: string } | undefined;

  const place = async (send: Send) => {
    placing ??= { quantity: 1 + Math.floor(Math.random() * 3), once: randomUUID() };
    const { quantity, once } = placing;
    const response = await send('POST /v2/store/orders', {
      key,
      body: { petId: Number(pet), quantity },
      headers: { 'idempotency-key': once },
    });
    if (response.status >= 500) throw new Error(`${response.status} ${response.text}`);
    placing = undefined;
    if (response.status !== 201) return;
    expected.acknowledged++;
    const { id } = response.json<{ id: bigint }>();
    orders = [...orders, { id, quantity }].slice(-NEWEST);
    stock -= quantity;
    expected.set([
      [`order ${id}`, 'pending'],
      ['stock', String(stock)],
    ]);
  };
  const move = async (send: Send, how: 'v1' | 'v2' | 'ship' | 'deliver') => {
    const from = how === 'deliver' ? 'shipped' : 'pending';
    const order = pick(orders.filter(({ id }) => expected.get(`order ${id}`) === from));
    if (!order) return place(send);
    const resource = `order ${order.id}`;
    if (how === 'ship' || how === 'deliver') {
      const to = how === 'ship' ? 'shipped' : 'delivered';
      return expected.change([[resource, to]], send(`POST /v2/store/orders/${order.id}/${how}`, { key }));
    }
    const states = [
      [resource, 'cancelled'],
      ['stock', String(stock + order.quantity)],
    ] as const;
    await expected.change(states, send(`DELETE /${how}/store/orders/${order.id}`, { key }));
    stock = Number(expected.get('stock'));
  };
  const restock = async (send: Send) => {
    const states = [['stock', String(500 + Math.floor(Math.random() * 500))]] as const;
    await expected.change(
      states,
      send(`PATCH /v2/pets/${pet}`, { key, body: { stock: Number(states[0][1]) } }),
    );
    stock = Number(expected.get('stock'));
  };
  return {
    expected,
    async step(send) {
      const how = pick(['place', 'place', 'v1', 'v2', 'ship', 'deliver', 'restock'] as const);
      if (how === 'place') await place(send);
      else if (how === 'restock') await restock(send);
      else await move(send, how);
    },
    async verify(send) {
      // Repeated with the same key, a placement happens now if it had not, and never twice.
      if (placing) {
        expected.unknown++;
        await place(send);
      }
      const [seenPet, page] = await Promise.all([
        send(`GET /v2/pets/${pet}`, { key }),
        send(`GET /v2/store/orders?petId=${pet}&sort=-id&limit=${NEWEST}`, { key }),
      ]);
      const seen = new Map([['stock', String(seenPet.json<{ stock: bigint }>().stock)]]);
      const { data } = page.json<{ data: Array<{ id: bigint; status: string }> }>();
      for (const { id, status } of data) seen.set(`order ${id}`, status);
      const known = new Set(orders.map(({ id }) => `order ${id}`));
      const violations = expected.compare(
        seen,
        (resource) => !resource.startsWith('order') || known.has(resource),
      );
      if (data.some(({ id }) => !known.has(`order ${id}`)))
        violations.push(`${name}: there are unknown orders`);
      stock = Number(expected.get('stock'));
      return violations;
    },
  };
}

const dataSets = { default: 40, empty: 0, int64: 9, large: 300 };

/** Resets its own store to one data set after another, and arms faults in it. */
export function openTester(key: string, name: string): Actor {
  const expected = new ExpectedState(name);
  expected.set([
    ['orders', '40'],
    ['faults', '0'],
  ]);
  return {
    expected,
    async step(send) {
      const how = pick(['reset', 'arm', 'disarm'] as const);
      if (how === 'disarm')
        return expected.change([['faults', '0']], send('DELETE /v2/sandbox/faults', { key }));
      if (how === 'arm') {
        const body = [{ operation: 'v2.placeOrder', fault: 'drop' }];
        return expected.change([['faults', '1']], send('PUT /v2/sandbox/faults', { key, body }));
      }
      const dataSet = pick(Object.keys(dataSets) as Array<keyof typeof dataSets>);
      const count = dataSets[dataSet];
      const states = [
        ['orders', String(count)],
        ['faults', '0'],
      ] as const;
      const body = { dataSet, seed: 7, ...(dataSet === 'large' ? { orders: count } : {}) };
      return expected.change(states, send('POST /v2/sandbox/reset', { key, body }));
    },
    async verify(send) {
      const [faults, orders] = await Promise.all([
        send('GET /v2/sandbox/faults', { key }),
        send('GET /v2/store/orders?limit=1000', { key }),
      ]);
      return expected.compare(
        new Map([
          ['faults', String(faults.json<unknown[]>().length)],
          ['orders', String(orders.json<{ data: unknown[] }>().data.length)],
        ]),
      );
    },
  };
}

/** Creates, changes and deletes webhooks in a store that others trade in. */
export function openListener(key: string, url: string, name: string): Actor {
  const expected = new ExpectedState(name);
  const mine = `${url}?${name.replaceAll(' ', '-')}`;
  return {
    expected,
    async step(send) {
      const all = [...expected.inState('true'), ...expected.inState('false')];
      const one = pick(all);
      if (one === undefined || all.length < 3) {
        const response = await expected.change(
          'something new',
          send('POST /v2/webhooks', { key, body: { url: mine } }),
        );
        if (response.status === 201) expected.set([[response.json<{ id: string }>().id, 'true']]);
      } else if (Math.random() < 0.5) {
        await expected.change([[one, undefined]], send(`DELETE /v2/webhooks/${one}`, { key }));
      } else {
        const active = expected.get(one) !== 'true';
        await expected.change(
          [[one, String(active)]],
          send(`PATCH /v2/webhooks/${one}`, { key, body: { active } }),
        );
      }
    },
    async verify(send) {
      const { data } = (await send('GET /v2/webhooks', { key })).json<{
        data: Array<{ id: string; url: string; active: boolean }>;
      }>();
      return expected.compare(
        new Map(data.filter((hook) => hook.url === mine).map(({ id, active }) => [id, String(active)])),
      );
    },
  };
}

/** Changes a pet in its own store, and receives each change by webhook. `received` has the IDs that arrived. */
export async function openSubscriber(
  send: Send,
  key: string,
  url: string,
  received: ReadonlySet<string>,
): Promise<Actor & { missing(send: Send): Promise<string[]> }> {
  const expected = new ExpectedState('subscriber');
  await send('POST /v2/webhooks', { key, body: { url } });
  const first = (await send('GET /v2/store/summary', { key })).json<{ revision: bigint }>().revision;
  return {
    expected,
    async step(send) {
      const name = randomUUID();
      await expected.change([['name', name]], send('PATCH /v2/pets/1', { key, body: { name } }));
    },
    async verify(send) {
      if (expected.get('name') === undefined) return [];
      const pet = (await send('GET /v2/pets/1', { key })).json<{ name: string }>();
      return expected.compare(new Map([['name', pet.name]]));
    },
    async missing(send) {
      const missing: string[] = [];
      for (let after = String(first); ; ) {
        const page = await send(`GET /v2/store/events?limit=1000&after=${after}`, { key });
        const { data } = page.json<{ data: Array<{ id: string }> }>();
        for (const { id } of data) if (!received.has(id)) missing.push(`subscriber: event ${id} never came`);
        const last = data.at(-1);
        if (!last) return missing;
        after = last.id;
      }
    },
  };
}

const PASSWORD = 'tangerine-84-quarry';

/** Signs up, and creates and revokes keys of its account. */
export async function openMember(send: Send, name: string): Promise<Actor> {
  const expected = new ExpectedState(name);
  const email = `${randomUUID()}@example.com`;
  const cookies = new Map<string, string>();
  const browse = async (send: Send, request: string, body?: object) => {
    const [method, path] = request.split(' ');
    const cookie = Array.from(cookies, ([one, value]) => `${one}=${value}`).join('; ');
    const response = await send(`${method} /console/api${path}`, {
      headers: { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) },
      ...(body && { body }),
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [one = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(one, value);
    }
    return response;
  };
  await browse(send, 'POST /sign-up', { email, password: PASSWORD });
  await browse(send, 'POST /sign-in', { email, password: PASSWORD });
  const first = (await browse(send, 'POST /session')).json<{ firstKey: { id: string } }>().firstKey;
  expected.set([[first.id, 'works']]);
  return {
    expected,
    async step(send) {
      const keys = expected.inState('works');
      if (keys.length < 5 || Math.random() < 0.5) {
        const response = await expected.change(
          'something new',
          browse(send, 'POST /keys', { name: 'torture' }),
        );
        if (response.status === 201) expected.set([[response.json<{ id: string }>().id, 'works']]);
      } else {
        const one = pick(keys);
        await expected.change([[one, undefined]], browse(send, `DELETE /keys/${one}`));
      }
    },
    async verify(send) {
      const { data } = (await browse(send, 'GET /keys?state=working&limit=100')).json<{
        data: { id: string }[];
      }>();
      return expected.compare(new Map(data.map(({ id }) => [id, 'works'])));
    },
  };
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}
