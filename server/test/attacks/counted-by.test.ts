import { describe, expect, it } from 'vitest';
import { createKey, fastAccounts, firstKey, type KeyView, signUpAndIn } from '../accounts/browser.ts';
import { requestText, staging } from '../sandbox/support.ts';
import { anyEngine } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { openSocket } from '../support/http.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { clientOf, type Response } from '../support/v2.ts';

const now = Date.parse('2026-12-01T00:00:15.000Z');
const usual = { ...staging, accounts: fastAccounts } as const;
const noOrders = { url: 'https://receiver.invalid/', types: ['store.reset'] };

/** An account with its store, and every kind of key that opens it. */
async function openOwner(service: TestService) {
  const member = await signUpAndIn(service);
  const { key: first } = await firstKey(member);
  const second = await createKey(member, { name: 'second' });
  const rolled = (
    await member.browser.send(`POST /keys/${second.id}/roll`, { overlap: '24h' })
  ).json<KeyView>();
  const session = (await member.browser.send('POST /token')).json<{ key: string }>();
  const keys = { first, second: second.key, rolled: rolled.key, session: session.key };
  const as = (name: keyof typeof keys) => clientOf(service, { key: keys[name] });
  return {
    ...member,
    keys,
    as,
    /** The response to each kind of key. */
    async withEach(send: (client: ReturnType<typeof as>) => Promise<Response>): Promise<number[]> {
      const statuses: number[] = [];
      for (const name of Object.keys(keys)) statuses.push((await send(as(name as keyof typeof keys))).status);
      return statuses;
    },
    reset: async (dataSet = 'default') =>
      expect((await as('first')('POST /v2/sandbox/reset', { body: { dataSet } })).status).toBe(200),
  };
}

const each = (status: number) => Array(4).fill(status);

describe.each(anyEngine)(
  'a reset, a second key, a rolled key and a session do not evade on $name',
  (engine) => {
    const open = (options: ServiceOptions = {}) => startService(engine, { ...usual, ...options });

    it('the rate limit', async () => {
      await using service = await open({ rateLimit: 40, now: () => now });
      const { as, withEach, browser, reset } = await openOwner(service);
      const left = async () =>
        Number(/r=(\d+)/.exec(String((await as('first')('GET /v1/pets')).headers.ratelimit))?.[1]);
      const before = await left();
      await reset();
      await withEach((client) => client('GET /v1/pets'));
      expect((await browser.send('GET /keys')).status).toBe(200);
      await reset('empty');
      expect(await left()).toBe(before - 8);
      while ((await left()) > 0);
      expect(await withEach((client) => client('GET /v1/pets'))).toEqual(each(429));
      expect((await browser.send('GET /keys')).status).toBe(429);
    });

    it('the stream limit', async () => {
      await using service = await open({ streams: { maxPerTenant: 3 } });
      const { keys, withEach, reset } = await openOwner(service);
      using _one = await readEvents(service, { key: keys.first });
      await reset();
      using _two = await readEvents(service, { key: keys.rolled });
      using _three = await readEvents(service, { key: keys.session });
      expect(await withEach((client) => client('GET /v2/store/events/stream'))).toEqual(each(429));
      await reset('empty');
      expect(await withEach((client) => client('GET /v2/store/events/stream'))).toEqual(each(429));
    });

    it('the limit of concurrent changes', async () => {
      await using service = await open({ maxChanges: 4 });
      const { as, withEach } = await openOwner(service);
      const change = (client: ReturnType<typeof as>) => client('PATCH /v2/pets/1', { body: { stock: 5 } });
      const held = await service.database.holdWriters();
      const under = Array.from({ length: 5 }, () => change(as('first')));
      expect((await Promise.race(under)).status).toBe(503);
      expect(await withEach(change)).toEqual(each(503));
      await held[Symbol.asyncDispose]();
      await Promise.all(under);
    });

    it('the limits of orders and pets', async () => {
      await using service = await open({ quotas: { orders: 41n, pets: 13n } });
      const { as, withEach, reset } = await openOwner(service);
      const place = (client: ReturnType<typeof as>) =>
        client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 } });
      const add = (client: ReturnType<typeof as>) =>
        client('POST /v2/pets', { body: { name: 'Tom', category: 'cat' } });
      for (const _ of [1, 2]) {
        expect([(await place(as('second'))).status, (await add(as('rolled'))).status]).toEqual([201, 201]);
        expect(await withEach(place)).toEqual(each(409));
        expect(await withEach(add)).toEqual(each(409));
        const large = { dataSet: 'large', orders: 42 };
        const rejected = await withEach((client) => client('POST /v2/sandbox/reset', { body: large }));
        expect(rejected).toEqual(each(409));
        await reset();
      }
    });

    it('the key limit', async () => {
      await using service = await open({ quotas: { keys: 3n } });
      const { browser, reset } = await openOwner(service);
      const create = async () => (await browser.send('POST /keys', { name: 'more' })).status;
      expect(await create()).toBe(409);
      await reset();
      expect(await create()).toBe(409);
    });

    it('the webhook limit', async () => {
      await using service = await open();
      const { as, withEach, reset } = await openOwner(service);
      const create = (client: ReturnType<typeof as>) => client('POST /v2/webhooks', { body: noOrders });
      for (const name of ['first', 'second', 'rolled', 'session', 'first'] as const) await create(as(name));
      await reset();
      for (const name of ['first', 'second', 'rolled', 'session', 'first'] as const) await create(as(name));
      expect(await withEach(create)).toEqual(each(409));
      await reset('empty');
      expect(await withEach(create)).toEqual(each(409));
    });

    it('the limit of one reset at a time', async () => {
      await using service = await open();
      const { keys, withEach } = await openOwner(service);
      const socket = await openSocket(service.port);
      const large = JSON.stringify({ dataSet: 'large', orders: 1_000_000 });
      socket.write(requestText('POST /v2/sandbox/reset', { key: keys.first }, [], large));
      const prepared = `SELECT id FROM stores WHERE closed_at > ${Date.now() + 120_000}`;
      await expect.poll(() => service.database.rows(prepared)).toHaveLength(1);
      const small = { dataSet: 'empty' };
      expect(await withEach((client) => client('POST /v2/sandbox/reset', { body: small }))).toEqual(
        each(503),
      );
      socket.destroy();
    });
  },
);
