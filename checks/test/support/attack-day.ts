import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from './typical-use.ts';

interface Keys {
  readonly key: string;
  readonly otherKey: string;
  readonly readKey: string;
}

const FAR_ID = 900_001;
const tomorrow = () => new Date(Date.now() + 100_000_000).toISOString();

/** What an attacker tries with the keys of two stores and one that is read-only: each attempt is rejected. */
export async function attackDay(call: Caller, keys: Keys): Promise<void> {
  await call('POST /v2/sandbox/reset', { body: { dataSet: 'default' } });
  await otherStores(call, keys);
  await wrongKeys(call, keys);
  await forbiddenFields(call);
  await tooMuch(call);
  await strangers(call);
}

async function otherStores(call: Caller, { otherKey, readKey }: Keys): Promise<void> {
  const pets = [{ id: 1, name: 'Ada', category: 'cat', stock: 3 }];
  const data = { pets, orders: [{ id: FAR_ID, petId: 1, quantity: 1 }] };
  await call('POST /v2/sandbox/reset', { key: otherKey, body: { data } });
  await call('GET /v2/store/summary');
  await call(`GET /v2/store/orders/${FAR_ID}`);
  await call(`DELETE /v1/store/orders/${FAR_ID}`);
  await call('DELETE /v2/store/orders/2', { key: readKey });
}

async function wrongKeys(call: Caller, { key }: Keys): Promise<void> {
  const { text } = await call('POST /v2/sandbox/stores', { body: { expiresIn: 60 } });
  const [, borrowed = ''] = /"key":"(\w+)"/.exec(text) ?? [];
  await call('GET /v2/pets', { key: borrowed, headers: { prefer: `now="${tomorrow()}"` } });
  await call('DELETE /v2/sandbox/stores/current', { key: borrowed });
  await call('GET /v1/pets', { key: borrowed });
  await call('GET /v1/store/orders', { key: key.slice(0, -1) });
  await call('GET /v2/store/orders', { key: key.toUpperCase() });
  await call(`GET /v1/pets?api_key=${key}`, { key: null });
  await call('GET /v0/store/orders', { key: null });
}

async function forbiddenFields(call: Caller): Promise<void> {
  const place = (more: object) => call('POST /v2/store/orders', { body: { petId: 1, quantity: 1, ...more } });
  await place({ status: 'delivered' });
  await place({ placedAt: '2020-01-01T00:00:00.000Z' });
  await call('PATCH /v2/pets/4', { body: { status: 'sold' } });
  const { text } = await call('GET /v2/pets/5');
  for (const quantity of [Number(/"stock":(\d+)/.exec(text)?.[1]), 1])
    await call('POST /v2/store/orders', { body: { petId: 5, quantity } });
}

async function tooMuch(call: Caller): Promise<void> {
  await call('GET /v2/store/orders?limit=100000');
  await call('POST /v2/store/orders', {
    body: { petId: 1, quantity: 1, note: 'x'.repeat(10_000_000) },
  }).catch(() => {});
  const rateLimit = { requests: 3, seconds: 60 };
  const { text } = await call('POST /v2/sandbox/stores', { body: { expiresIn: 60, rateLimit } });
  const [, key = ''] = /"key":"(\w+)"/.exec(text) ?? [];
  for (let count = 0; count <= 4; count += 1) await call('GET /v1/pets', { key });
}

async function strangers(call: Caller): Promise<void> {
  await call('GET /v1/store/orders', { headers: { origin: 'https://evil.example' } });
  await call('POST /v2/pets', { body: { name: 'Ada' } });
  await call('POST /v2/webhooks', { body: { url: 'gopher://169.254.169.254/' } });
  const receiver = createServer((_, res) => void res.writeHead(204).end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const { text } = await call('POST /v2/webhooks', { body: { url: `http://127.0.0.1:${port}/` } });
  const webhook = `/v2/webhooks/${/"id":"(\w+)"/.exec(text)?.[1]}`;
  await call(`GET ${webhook}`);
  await call(`POST ${webhook}/test`);
  await call(`DELETE ${webhook}`);
  receiver.close();
  receiver.closeAllConnections();
}
