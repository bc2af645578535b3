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
  readonly belief: ExpectedState;
  step(send: Send): Promise<unknown>;
  verify(send: Send): Promise<string[]>;
}

/** The number of a trader's newest orders that are changed, and verified after each round. */
const NEWEST = 50;

/** Trades in its own pet, in a shared store: with v2, and cancels with v1 as well. */
export async function openTrader(send: Send, key: string, name: string): Promise<Actor> {
  const created = await send('POST /v2/pets', { key, body: { name, category: 'load', stock: 1000 } });
  const pet = created.json<{ id: bigint }>().id;
  const belief = new ExpectedState(name);
  belief.set([['stock', '1000']]);
  let stock = 1000;
  let orders: Array<{ id: bigint; quantity: number }> = [];
  let placing: { quantity: number; once: string } | undefined;

  const place = async (ask: Send) => {
    placing ??= { quantity: 1 + Math.floor(Math.random() * 3), once: randomUUID() };
    const { quantity, once } = placing;
    const response = await ask('POST /v2/store/orders', {
      key,
      body: { petId: Number(pet), quantity },
      headers: { 'idempotency-key': once },
    });
    if (response.status >= 500) throw new Error(`${response.status} ${response.text}`);
    placing = undefined;
    if (response.status !== 201) return;
    belief.acknowledged++;
    const { id } = response.json<{ id: bigint }>();
    orders = [...orders, { id, quantity }].slice(-NEWEST);
    stock -= quantity;
    belief.set([
      [`order ${id}`, 'pending'],
      ['stock', String(stock)],
    ]);
  };
  const move = async (ask: Send, how: 'v1' | 'v2' | 'ship' | 'deliver') => {
    const from = how === 'deliver' ? 'shipped' : 'pending';
    const order = pick(orders.filter(({ id }) => belief.get(`order ${id}`) === from));
    if (!order) return place(ask);
    const thing = `order ${order.id}`;
    if (how === 'ship' || how === 'deliver') {
      const to = how === 'ship' ? 'shipped' : 'delivered';
      return belief.change([[thing, to]], ask(`POST /v2/store/orders/${order.id}/${how}`, { key }));
    }
    const facts = [
      [thing, 'cancelled'],
      ['stock', String(stock + order.quantity)],
    ] as const;
    await belief.change(facts, ask(`DELETE /${how}/store/orders/${order.id}`, { key }));
    stock = Number(belief.get('stock'));
  };
  const restock = async (ask: Send) => {
    const facts = [['stock', String(500 + Math.floor(Math.random() * 500))]] as const;
    await belief.change(facts, ask(`PATCH /v2/pets/${pet}`, { key, body: { stock: Number(facts[0][1]) } }));
    stock = Number(belief.get('stock'));
  };
  return {
    belief,
    async step(ask) {
      const how = pick(['place', 'place', 'v1', 'v2', 'ship', 'deliver', 'restock'] as const);
      if (how === 'place') await place(ask);
      else if (how === 'restock') await restock(ask);
      else await move(ask, how);
    },
    async verify(ask) {
      // Repeated with the same key, a placement happens now if it had not, and never twice.
      if (placing) {
        belief.unknown++;
        await place(ask);
      }
      const [seenPet, page] = await Promise.all([
        ask(`GET /v2/pets/${pet}`, { key }),
        ask(`GET /v2/store/orders?petId=${pet}&sort=-id&limit=${NEWEST}`, { key }),
      ]);
      const seen = new Map([['stock', String(seenPet.json<{ stock: bigint }>().stock)]]);
      const { data } = page.json<{ data: Array<{ id: bigint; status: string }> }>();
      for (const { id, status } of data) seen.set(`order ${id}`, status);
      const known = new Set(orders.map(({ id }) => `order ${id}`));
      const violations = belief.compare(seen, (thing) => !thing.startsWith('order') || known.has(thing));
      if (data.some(({ id }) => !known.has(`order ${id}`)))
        violations.push(`${name}: there are unknown orders`);
      stock = Number(belief.get('stock'));
      return violations;
    },
  };
}

const dataSets = { default: 40, empty: 0, int64: 9, large: 300 };

/** Resets its own store to one data set after another, and arms faults in it. */
export function openTester(key: string, name: string): Actor {
  const belief = new ExpectedState(name);
  belief.set([
    ['orders', '40'],
    ['faults', '0'],
  ]);
  return {
    belief,
    async step(ask) {
      const how = pick(['reset', 'arm', 'disarm'] as const);
      if (how === 'disarm')
        return belief.change([['faults', '0']], ask('DELETE /v2/sandbox/faults', { key }));
      if (how === 'arm') {
        const body = [{ operation: 'v2.placeOrder', fault: 'drop' }];
        return belief.change([['faults', '1']], ask('PUT /v2/sandbox/faults', { key, body }));
      }
      const dataSet = pick(Object.keys(dataSets) as Array<keyof typeof dataSets>);
      const count = dataSets[dataSet];
      const facts = [
        ['orders', String(count)],
        ['faults', '0'],
      ] as const;
      const body = { dataSet, seed: 7, ...(dataSet === 'large' ? { orders: count } : {}) };
      return belief.change(facts, ask('POST /v2/sandbox/reset', { key, body }));
    },
    async verify(ask) {
      const [faults, orders] = await Promise.all([
        ask('GET /v2/sandbox/faults', { key }),
        ask('GET /v2/store/orders?limit=1000', { key }),
      ]);
      return belief.compare(
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
  const belief = new ExpectedState(name);
  const mine = `${url}?${name.replaceAll(' ', '-')}`;
  return {
    belief,
    async step(ask) {
      const all = [...belief.which('true'), ...belief.which('false')];
      const one = pick(all);
      if (one === undefined || all.length < 3) {
        const response = await belief.change(
          'something new',
          ask('POST /v2/webhooks', { key, body: { url: mine } }),
        );
        if (response.status === 201) belief.set([[response.json<{ id: string }>().id, 'true']]);
      } else if (Math.random() < 0.5) {
        await belief.change([[one, undefined]], ask(`DELETE /v2/webhooks/${one}`, { key }));
      } else {
        const active = belief.get(one) !== 'true';
        await belief.change(
          [[one, String(active)]],
          ask(`PATCH /v2/webhooks/${one}`, { key, body: { active } }),
        );
      }
    },
    async verify(ask) {
      const { data } = (await ask('GET /v2/webhooks', { key })).json<{
        data: Array<{ id: string; url: string; active: boolean }>;
      }>();
      return belief.compare(
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
  heard: ReadonlySet<string>,
): Promise<Actor & { missing(ask: Send): Promise<string[]> }> {
  const belief = new ExpectedState('subscriber');
  await send('POST /v2/webhooks', { key, body: { url } });
  const first = (await send('GET /v2/store/summary', { key })).json<{ revision: bigint }>().revision;
  return {
    belief,
    async step(ask) {
      const name = randomUUID();
      await belief.change([['name', name]], ask('PATCH /v2/pets/1', { key, body: { name } }));
    },
    async verify(ask) {
      if (belief.get('name') === undefined) return [];
      const pet = (await ask('GET /v2/pets/1', { key })).json<{ name: string }>();
      return belief.compare(new Map([['name', pet.name]]));
    },
    async missing(ask) {
      const missing: string[] = [];
      for (let after = String(first); ; ) {
        const page = await ask(`GET /v2/store/events?limit=1000&after=${after}`, { key });
        const { data } = page.json<{ data: Array<{ id: string }> }>();
        for (const { id } of data) if (!heard.has(id)) missing.push(`subscriber: event ${id} never came`);
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
  const belief = new ExpectedState(name);
  const email = `${randomUUID()}@example.com`;
  const cookies = new Map<string, string>();
  const browse = async (ask: Send, request: string, body?: object) => {
    const [method, path] = request.split(' ');
    const cookie = Array.from(cookies, ([one, value]) => `${one}=${value}`).join('; ');
    const response = await ask(`${method} /console/api${path}`, {
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
  belief.set([[first.id, 'works']]);
  return {
    belief,
    async step(ask) {
      const keys = belief.which('works');
      if (keys.length < 5 || Math.random() < 0.5) {
        const response = await belief.change('something new', browse(ask, 'POST /keys', { name: 'torture' }));
        if (response.status === 201) belief.set([[response.json<{ id: string }>().id, 'works']]);
      } else {
        const one = pick(keys);
        await belief.change([[one, undefined]], browse(ask, `DELETE /keys/${one}`));
      }
    },
    async verify(ask) {
      const { data } = (await browse(ask, 'GET /keys?state=working&limit=100')).json<{
        data: { id: string }[];
      }>();
      return belief.compare(new Map(data.map(({ id }) => [id, 'works'])));
    },
  };
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}
