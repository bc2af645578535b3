import type { ServerResponse } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { advanceWebhook } from '../../src/webhooks/advance-webhook.ts';
import { outcomeOf, RETRY_WAITS_MS } from '../../src/webhooks/delivery.ts';
import { isPublicAddress, problemWithUrl } from '../../src/webhooks/private-addresses.ts';
import { createTestDelivery } from '../../src/webhooks/request-delivery.ts';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.ts';
import { everyCase } from '../support/effort.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { insertPet } from '../support/pets.ts';
import { isSigned, type Received, startReceiver } from '../support/receiver.ts';
import { startService, useService } from '../support/service.ts';
import { type Client, clientOf, type Page } from '../support/v2.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';

interface Webhook {
  id: string;
  url: string;
  types: string[];
  active: boolean;
  createdAt: string;
  secret: string;
}

interface Delivery {
  id: bigint;
  event: { id: string; type: string };
  status: string;
  attempts: Array<{ status: bigint | null; answer: string | null; error: string | null; durationMs: bigint }>;
  nextAttemptAt: string | null;
}

/** Only advances when a test sets it, so nothing is retried before that. */
const clock = { begun: Date.now(), offset: 0 };
const now = () => clock.begun + clock.offset;
const options = { now, webhooks: { allowPrivate: true }, intervalMs: 20 };

const create = async (client: Client, body: object) =>
  (await client('POST /v2/webhooks', { body })).json<Webhook>();
const addPet = (client: Client, name: string) => client('POST /v2/pets', { body: { name, category: 'dog' } });
const deliveriesOf = async (client: Client, { id }: Webhook) =>
  (await client(`GET /v2/webhooks/${id}/deliveries`)).json<Page<Delivery>>().data;

async function until<T>(read: () => Promise<T>, predicate: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await read();
    if (predicate(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.each(engines)('webhooks on $name', (engine) => {
  beforeAll(() => {
    clock.begun = Date.now();
    clock.offset = 0;
  });
  // In this thread, so that tests can reach its time limits.
  const sender = createWebhookSender({ allowPrivate: true });
  const service = useService(engine, { ...options, webhooks: { allowPrivate: true, sender } });
  const newClient = async () => clientOf(service(), await service().openStore());

  it('receive events, signed, with the bytes the events list has', async () => {
    await using receiver = await startReceiver();
    const client = await newClient();
    await addPet(client, 'before');
    const { secret } = await create(client, { url: receiver.url });
    await addPet(client, 'after');
    await client('DELETE /v2/store/orders/2').catch(() => {});
    const messages = await receiver.waitForMessages(1);
    const [first] = messages as [Received];
    expect(first.headers['content-type']).toBe('application/json');
    expect(
      new StandardWebhook(secret).verify(first.body, first.headers as Record<string, string>),
    ).toMatchObject({ type: 'pet.created', data: { name: 'after' } });
    const page = (await client('GET /v2/store/events')).bytes.toString();
    expect(page).toContain(first.body);
    expect(first.body).not.toContain('before');
  });

  it('are created with a secret that is shown once, changed, listed, and deleted', async () => {
    const client = await newClient();
    const { secret, ...shown } = await create(client, { url: 'https://receiver.invalid/a' });
    expect(secret).toMatch(/^whsec_/);
    expect(shown).toMatchObject({ url: 'https://receiver.invalid/a', active: true });
    expect(shown.types).toHaveLength(7);
    expect((await client(`GET /v2/webhooks/${shown.id}`)).json()).toEqual(shown);
    expect((await client('GET /v2/webhooks')).json()).toEqual({ data: [shown], nextCursor: null });
    const change = { types: ['order.placed'], active: false, url: 'https://receiver.invalid/b' };
    const changed = (await client(`PATCH /v2/webhooks/${shown.id}`, { body: change })).json();
    expect(changed).toEqual({ ...shown, ...change });
    expect((await client(`DELETE /v2/webhooks/${shown.id}`)).status).toBe(204);
    expect((await client(`DELETE /v2/webhooks/${shown.id}`)).status).toBe(404);
    expect((await client(`GET /v2/webhooks/${shown.id}/deliveries`)).status).toBe(404);
  });

  it('belong to one store, and are not found from another', async () => {
    const { id } = await create(await newClient(), { url: 'https://receiver.invalid/' });
    const other = await newClient();
    for (const request of [
      `GET /v2/webhooks/${id}`,
      `DELETE /v2/webhooks/${id}`,
      `POST /v2/webhooks/${id}/roll-secret`,
      `POST /v2/webhooks/${id}/test`,
      `GET /v2/webhooks/${id}/deliveries`,
      `POST /v2/webhooks/${id}/deliveries/1/redeliver`,
    ])
      expect([request, (await other(request)).status]).toEqual([request, 404]);
    expect((await other(`PATCH /v2/webhooks/${id}`, { body: { active: false } })).status).toBe(404);
  });

  it('are limited to ten, even under concurrent requests', async () => {
    const client = await newClient();
    const body = { url: 'https://receiver.invalid/' };
    const responses = await Promise.all(
      Array.from({ length: 14 }, () => client('POST /v2/webhooks', { body })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(10).fill(201),
      ...Array(4).fill(409),
    ]);
    const rejected = responses.find(({ status }) => status === 409);
    expect(rejected?.error().code).toBe('webhook_limit_reached');
  });

  it('are rejected with an invalid body', async () => {
    const client = await newClient();
    for (const body of [
      {},
      { url: 7 },
      { url: 'https://receiver.invalid', types: [] },
      { url: 'https://receiver.invalid', types: ['order.eaten'] },
      { url: 'https://receiver.invalid', types: ['order.placed', 'order.placed'] },
      { url: 'https://receiver.invalid', secret: 'mine' },
    ]) {
      const response = await client('POST /v2/webhooks', { body });
      expect([body, response.status]).toEqual([body, 400]);
    }
    const { secret: _, ...unchanged } = await create(client, { url: 'https://receiver.invalid/' });
    for (const body of [
      {},
      { url: 7 },
      { types: [] },
      { types: ['order.eaten'] },
      { active: 1 },
      { secret: 'mine' },
    ]) {
      const response = await client(`PATCH /v2/webhooks/${unchanged.id}`, { body });
      expect([body, response.status]).toEqual([body, 400]);
    }
    for (const request of ['POST /v2/webhooks', `PATCH /v2/webhooks/${unchanged.id}`]) {
      const { status, error } = await client(request, { body: { url: 'ftp://example.com' } });
      expect([request, status, error().code]).toEqual([request, 422, 'invalid_webhook_url']);
    }
    expect((await client('GET /v2/webhooks')).json<Page<Webhook>>().data).toEqual([unchanged]);
  });

  it('receive only their event types', async () => {
    await using receiver = await startReceiver();
    const client = await newClient();
    await create(client, { url: receiver.url, types: ['pet.changed'] });
    await addPet(client, 'one');
    await client('PATCH /v2/pets/13', { body: { stock: 5 } });
    await receiver.waitForMessages(1);
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['pet.changed']);
  });

  it('sign with both secrets for a day after one was rolled', async () => {
    await using receiver = await startReceiver();
    const client = await newClient();
    const old = await create(client, { url: receiver.url });
    const rolled = (await client(`POST /v2/webhooks/${old.id}/roll-secret`)).json<Webhook>();
    expect(rolled.secret).not.toBe(old.secret);
    await addPet(client, 'both');
    const [both] = (await receiver.waitForMessages(1)) as [Received];
    expect([isSigned(old.secret, both), isSigned(rolled.secret, both)]).toEqual([true, true]);
    clock.offset += 24 * 3_600_000 + 1000;
    await addPet(client, 'new');
    const [, later] = (await receiver.waitForMessages(2)) as [Received, Received];
    expect([isSigned(old.secret, later), isSigned(rolled.secret, later)]).toEqual([false, true]);
  });

  it('are retried on schedule, and fail in the end', async () => {
    await using receiver = await startReceiver((_, response) => response.writeHead(500).end('no'));
    const client = await newClient();
    const webhook = await create(client, { url: receiver.url });
    await addPet(client, 'unwanted');
    for (const [i, wait] of RETRY_WAITS_MS.entries()) {
      const [delivery] = await until(
        () => deliveriesOf(client, webhook),
        ([one]) => one?.attempts.length === i + 1,
      );
      const due = Date.parse(delivery?.nextAttemptAt ?? '') - now();
      expect(due).toBeGreaterThan(wait * 0.9 - 2000);
      expect(due).toBeLessThan(wait * 1.1 + 2000);
      expect(delivery?.status).toBe('pending');
      clock.offset += Math.ceil(wait * 1.1) + 1000;
    }
    const [given] = await until(
      () => deliveriesOf(client, webhook),
      ([one]) => one?.status === 'failed',
    );
    expect(given?.attempts).toHaveLength(8);
    expect(given?.attempts[0]).toMatchObject({ status: 500n, answer: 'no', error: null });
    expect(given?.nextAttemptAt).toBeNull();
    const logged = () => service().log.filter((line) => line.includes(`"webhook":"${webhook.id}"`));
    await expect.poll(logged).toEqual([expect.stringContaining('"reason":"retries","events":1')]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    const response = await client(`POST /v2/webhooks/${webhook.id}/deliveries/${given?.id}/redeliver`);
    expect([response.status, response.json<Delivery>().status]).toEqual([202, 'pending']);
    await receiver.waitForMessages(9);
  });

  it('have 15 seconds to respond: then the attempt fails', async () => {
    await using receiver = await startReceiver(() => {});
    const limits: Array<[ms: number, end: AbortController]> = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const end = new AbortController();
      limits.push([ms, end]);
      return end.signal;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const client = await newClient();
    const webhook = await create(client, { url: receiver.url });
    await addPet(client, 'unheard');
    await receiver.waitForMessages(1);
    expect(new Set(limits.map(([ms]) => ms))).toEqual(new Set([15_000]));
    for (const [, end] of limits) end.abort(new DOMException('', 'TimeoutError'));
    const [delivery] = await until(
      () => deliveriesOf(client, webhook),
      ([one]) => one?.attempts.length === 1,
    );
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'no response within 15 seconds' }],
    });
    await client(`DELETE /v2/webhooks/${webhook.id}`);
  });

  it('are turned off by 410, and do not follow a redirect', async () => {
    await using otherPlace = await startReceiver();
    await using receiver = await startReceiver((_, response, count) =>
      count === 1
        ? response.writeHead(302, { location: otherPlace.url }).end()
        : response.writeHead(410).end(),
    );
    const client = await newClient();
    const webhook = await create(client, { url: receiver.url });
    await addPet(client, 'redirected');
    await until(
      () => deliveriesOf(client, webhook),
      ([one]) => one?.attempts[0]?.status === 302n,
    );
    expect((await client(`GET /v2/webhooks/${webhook.id}`)).json<Webhook>().active).toBe(true);
    await addPet(client, 'gone');
    await until(
      async () => (await client(`GET /v2/webhooks/${webhook.id}`)).json<Webhook>(),
      ({ active }) => !active,
    );
    const [newest] = await deliveriesOf(client, webhook);
    expect(newest?.status).toBe('failed');
    expect(otherPlace.received).toEqual([]);
  });

  it('that are deleted or off receive nothing more', async () => {
    await using receiver = await startReceiver();
    const client = await newClient();
    const [gone, off, left] = await Promise.all(
      ['gone', 'off', 'left'].map((name) => create(client, { url: `${receiver.url}/${name}` })),
    );
    await client(`DELETE /v2/webhooks/${gone?.id}`);
    await client(`PATCH /v2/webhooks/${off?.id}`, { body: { active: false } });
    await addPet(client, 'one');
    await receiver.waitForMessages(1);
    await client(`PATCH /v2/webhooks/${off?.id}`, { body: { active: true } });
    await addPet(client, 'two');
    await receiver.waitForMessages(3);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual([
      '/hook/left',
      '/hook/left',
      '/hook/off',
    ]);
    expect((await deliveriesOf(client, off as Webhook)).map(({ id }) => id)).toEqual([1n]);
    expect(left?.active).toBe(true);
  });

  it('can be tested, and list their deliveries, newest first and by page', async () => {
    await using receiver = await startReceiver((_, response) => response.end('x'.repeat(5_000_000)));
    const client = await newClient();
    const webhook = await create(client, { url: receiver.url, types: ['store.reset'] });
    for (let i = 0; i < 3; i++)
      expect((await client(`POST /v2/webhooks/${webhook.id}/test`)).status).toBe(202);
    await until(
      () => deliveriesOf(client, webhook),
      (all) => all.every(({ status }) => status === 'delivered'),
    );
    const first = (await client(`GET /v2/webhooks/${webhook.id}/deliveries?limit=2`)).json<Page<Delivery>>();
    expect(first.data.map(({ id }) => id)).toEqual([3n, 2n]);
    expect(first.data[0]?.event.type).toBe('webhook.test');
    expect(first.data[0]?.attempts[0]?.answer).toBe('x'.repeat(1024));
    const second = (
      await client(`GET /v2/webhooks/${webhook.id}/deliveries?limit=2&cursor=${first.nextCursor}`)
    ).json<Page<Delivery>>();
    expect(second.data.map(({ id }) => id)).toEqual([1n]);
    expect(second.nextCursor).toBeNull();
  });

  it('are independent: one that hangs or trickles delays no other, even at the same address', async () => {
    await using receiver = await startReceiver(({ path }, response) => {
      if (path.endsWith('quick')) response.writeHead(204).end();
      if (!path.endsWith('trickle')) return;
      // Fewer chunks than end an attempt.
      let chunks = 0;
      const drip = setInterval(() => ++chunks < 50 && response.write('.'), 5);
      response.once('close', () => clearInterval(drip));
    });
    withoutTimeLimits();
    const client = await newClient();
    const webhooks: Webhook[] = [];
    for (const name of ['hang', 'trickle', 'quick'])
      webhooks.push(await create(client, { url: `${receiver.url}/${name}` }));
    for (let i = 0; i < 12; i++) await addPet(client, `pet ${i}`);
    const to = (name: string) => receiver.received.filter(({ path }) => path.endsWith(name)).length;
    while (to('quick') < 12) await receiver.waitForMessages(receiver.received.length + 1);
    expect(Math.max(to('hang'), to('trickle'))).toBeLessThanOrEqual(8);
    for (const { id } of webhooks) await client(`DELETE /v2/webhooks/${id}`);
  });

  it('all receive everything, even if there are more than can be sent to at a time', async () => {
    await using receiver = await startReceiver();
    const { writer } = service().deployment;
    // More than eight attempts of a webhook, 16 of a store, and 64 webhooks wait for the next.
    const changesOf = (store: number) =>
      everyCase ? 20 : anyEngine.includes(engine) && store === 0 ? 10 : 2;
    let sent = 0;
    for (let i = 0; i < 7; i++) {
      const store = await service().openStore();
      const { storeId } = store;
      for (let j = 0; j < 10; j++) await create(clientOf(service(), store), { url: receiver.url });
      await Promise.all(Array.from({ length: changesOf(i) }, () => insertPet(writer, storeId)));
      sent += 10 * changesOf(i);
    }
    const ids = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    await until(
      async () => ids().size,
      (size) => size === sent,
    );
  });

  it('that receive a redelivery ignore earlier attempts’ outcomes', async () => {
    const held: ServerResponse[] = [];
    await using receiver = await startReceiver((_, response, count) =>
      count === 1 ? held.push(response) : response.writeHead(204).end(),
    );
    const client = await newClient();
    const webhook = await create(client, { url: receiver.url });
    await addPet(client, 'one');
    await receiver.waitForMessages(1);
    await client(`POST /v2/webhooks/${webhook.id}/deliveries/1/redeliver`);
    const delivered = (id: bigint) => (all: Delivery[]) =>
      all.some((delivery) => delivery.id === id && delivery.status === 'delivered');
    await until(() => deliveriesOf(client, webhook), delivered(1n));
    held[0]?.writeHead(500).end();
    await addPet(client, 'two');
    const all = await until(() => deliveriesOf(client, webhook), delivered(2n));
    expect(all.find(({ id }) => id === 1n)).toMatchObject({ status: 'delivered', nextAttemptAt: null });
  });

  it('deleted on one replica receive nothing from another, neither new nor retried messages', async () => {
    await using receiver = await startReceiver(({ path }, response) =>
      response.writeHead(path.endsWith('gone') ? 500 : 204).end(),
    );
    await using other = await startService(engine, { ...options, database: service().database });
    const store = await service().openStore();
    const [here, there] = [clientOf(service(), store), clientOf(other, store)];
    const gone = await create(there, { url: `${receiver.url}/gone` });
    await create(here, { url: `${receiver.url}/left` });
    const to = (name: string) => receiver.received.filter(({ path }) => path.endsWith(name)).length;
    const arrived = async (name: string, count: number) => {
      while (to(name) < count) await receiver.waitForMessages(receiver.received.length + 1);
    };
    for (let i = 0; i < 5; i++) await addPet(i % 2 ? here : there, `pet ${i}`);
    await arrived('gone', 5);
    await arrived('left', 5);
    expect((await here(`DELETE /v2/webhooks/${gone.id}`)).status).toBe(204);
    for (let i = 5; i < 10; i++) await addPet(i % 2 ? here : there, `pet ${i}`);
    clock.offset += 3 * 3_600_000;
    for (let i = 10; i < 15; i++) await addPet(i % 2 ? here : there, `pet ${i}`);
    await arrived('left', 15);
    expect(to('gone')).toBe(5);
  });
});

describe.each(engines)('a delivery on $name', (engine) => {
  it('is sent by another replica if the one that claimed it died', async () => {
    await using receiver = await startReceiver();
    await using service = await startService(engine, {
      ...options,
      webhooks: { allowPrivate: true },
      intervalMs: 1e9,
    });
    const client = clientOf(service, await service.openStore());
    const { id } = await create(client, { url: receiver.url, types: ['store.reset'] });
    const { writer } = service.deployment;
    const [{ store_id: storeId }] = (await service.database.rows(
      `SELECT store_id FROM webhooks WHERE id = '${id}'`,
    )) as [{ store_id: bigint }];
    // Nothing runs from now on: the replica is as good as dead.
    await service.app.idle();
    const at = BigInt(now());
    await writer.apply(createTestDelivery, { storeId, webhookId: id, body: '{"type":"lost"}', at });
    const wanted = { storeId, webhookId: id, types: 'store.reset', webhookRevision: 0n, events: undefined };
    const claim = async (later: bigint, limit = 4) =>
      (await writer.apply(advanceWebhook, { ...wanted, limit, at: at + later })).claimed;
    // All its attempts are in flight: it stays due, also if they end meanwhile.
    expect(await claim(0n, 0)).toEqual([]);
    expect(await service.database.rows(`SELECT next_due FROM webhooks WHERE id = '${id}'`)).toEqual([
      { next_due: at },
    ]);
    expect(await claim(0n)).toMatchObject([{ tries: 1n }]);
    expect(await claim(24_999n)).toEqual([]);
    clock.offset += 25_000;
    await using other = await startService(engine, { ...options, database: service.database });
    await receiver.waitForMessages(1);
    expect(receiver.received[0]?.body).toBe('{"type":"lost"}');
    expect(other.port).not.toBe(service.port);
    // The attempt that was in flight counts.
    const tries = async () => (await service.database.rows('SELECT tries FROM deliveries'))[0];
    await expect.poll(tries).toEqual({ tries: 2n });
  });

  it('interrupted by a stop is sent by another replica, without using up an attempt', async () => {
    await using receiver = await startReceiver((_, response, count) => {
      if (count > 1) response.writeHead(204).end();
    });
    await using service = await startService(engine, options);
    const store = await service.openStore();
    const webhook = await create(clientOf(service, store), { url: receiver.url });
    await addPet(clientOf(service, store), 'Ada');
    await receiver.waitForMessages(1);
    await service.app.close();
    await using other = await startService(engine, { ...options, database: service.database });
    const client = clientOf(other, store);
    const read = () => deliveriesOf(client, webhook);
    const [delivery] = await until(read, ([newest]) => newest?.status === 'delivered');
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([null, 204n]);
    const [row] = await service.database.rows(
      `SELECT tries FROM deliveries WHERE webhook_id = '${webhook.id}'`,
    );
    expect(row).toEqual({ tries: 1n });
  });

  it('continues the trace of the request that made the change, with a span per attempt', async () => {
    await using receiver = await startReceiver();
    await using service = await startService(engine, { ...options, deployment: 'staging' });
    const client = clientOf(service, await service.openStore());
    const webhook = await create(client, { url: receiver.url });
    let count = 0;
    const traceOf = (number: number) => `4bf92f3577b34da6a3ce929d${String(number).padStart(8, '0')}`;
    const traced = (request: string, body?: object) => {
      const traceparent = `00-${traceOf(++count)}-00f067aa0ba902b7-01`;
      return client(request, { headers: { traceparent }, ...(body && { body }) });
    };
    // Concurrent: they share a commit, and each has its own trace.
    const pet = (name: string) => ({ name, category: 'dog' });
    await Promise.all([
      ...Array.from({ length: 5 }, (_, i) => traced('POST /v2/pets', pet(traceOf(i + 1)))),
      addPet(client, 'none'),
    ]);
    const order = { petId: 1, quantity: 1 };
    const placed = await Promise.all([1, 2].map(() => traced('POST /v2/store/orders', order)));
    const [one, two] = placed.map((response) => response.json<{ id: bigint }>().id);
    await traced(`POST /v2/store/orders/${one}/ship`);
    await traced(`POST /v2/store/orders/${one}/deliver`);
    await traced(`DELETE /v1/store/orders/${two}`);
    await traced('PATCH /v2/pets/1', { stock: 9 });
    await traced(`POST /v2/webhooks/${webhook.id}/test`);
    await receiver.waitForMessages(13);
    await traced('POST /v2/sandbox/reset', { dataSet: 'empty' });
    const messages = await receiver.waitForMessages(14);
    const byTrace = new Map(messages.map((message) => [message.headers.traceparent?.slice(3, 35), message]));
    const typeOf = (number: number) => JSON.parse(byTrace.get(traceOf(number))?.body ?? '{}').type;
    expect(Array.from({ length: 8 }, (_, i) => typeOf(i + 6))).toEqual([
      ...['order.placed', 'order.placed', 'order.shipped', 'order.delivered', 'order.cancelled'],
      ...['pet.changed', 'webhook.test', 'store.reset'],
    ]);
    for (let i = 1; i <= 5; i++)
      expect(JSON.parse(byTrace.get(traceOf(i))?.body ?? '{}').data.name).toBe(traceOf(i));
    expect(JSON.parse(byTrace.get(undefined)?.body ?? '{}').data.name).toBe('none');
    const spans = messages.flatMap(({ headers: { traceparent } }) => traceparent?.slice(35) ?? []);
    for (const span of spans) expect(span).toMatch(/^-(?!0{16}|00f067aa0ba902b7)[0-9a-f]{16}-01$/);
    expect(new Set(spans).size).toBe(13);
  });

  it('has its trace when another process retries, and no malformed one', async () => {
    await using receiver = await startReceiver((_, response, count) =>
      response.writeHead(count <= 2 ? 503 : 204).end(),
    );
    await using database = await engine.create('production');
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    {
      await using service = await startService(engine, { ...options, database });
      const client = clientOf(service, await service.openStore());
      const webhook = await create(client, { url: receiver.url });
      for (const traceparent of [`00-${trace}-00f067aa0ba902b7-00`, `00-${trace}-0000000000000000-00`])
        await client('POST /v2/pets', {
          body: { name: 'a', category: 'b' },
          headers: { traceparent, tracestate: `a=1 2, b=3,c=${'4'.repeat(503)},d=5` },
        });
      await until(
        () => deliveriesOf(client, webhook),
        (all) => all.length === 2 && all.every(({ attempts }) => attempts.length === 1),
      );
    }
    clock.offset += 10_000;
    await using _ = await startService(engine, { ...options, database });
    const messages = await receiver.waitForMessages(4);
    const sent = messages.map(({ headers }) => headers.traceparent).filter((given) => given !== undefined);
    expect(sent.map((given) => String(given).slice(3, 35))).toEqual([trace, trace]);
    expect(new Set(sent).size).toBe(2);
    const states = messages.map(({ headers }) => headers.tracestate);
    expect(states.sort()).toEqual(['a=1 2,b=3', 'a=1 2,b=3', undefined, undefined]);
  });
});

describe('webhook targets', () => {
  it('must be public by default', () => {
    for (const url of [
      'http://example.com/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://10.1.2.3/',
      'https://169.254.169.254/latest',
      'https://168.63.129.16/machine',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00::1]/',
      'https://localhost/',
      'https://a.localhost/',
      'https://intranet/',
      'https://user:word@example.com/',
      'nonsense',
    ])
      expect([url, problemWithUrl(url, false) === undefined]).toEqual([url, false]);
    expect(problemWithUrl('https://receiver.invalid/a?b=c', false)).toBeUndefined();
    expect(problemWithUrl('http://127.0.0.1:3000/hook', true)).toBeUndefined();
    // The last address of each rejected network, and the one just beyond it.
    const inside =
      '0.255.255.255 10.255.255.255 100.127.255.255 127.255.255.255 169.254.255.255 172.31.255.255 192.0.0.255 192.0.2.255 192.88.99.255 192.168.255.255 198.19.255.255 198.51.100.255 203.0.113.255 224.0.0.1 255.255.255.255 168.63.129.16 ::1 64:ff9b::1 1fff:ffff::1 2001:1ff::1 2001:db8:ffff::1 2002:ffff::1 3fff:fff::1 4000::1';
    const outside =
      '1.0.0.1 8.8.8.8 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.0.1 169.255.0.1 172.15.255.255 172.32.0.1 192.0.1.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 203.0.114.1 223.255.255.255 2001:200::1 2003::1 2606:4700::1111';
    expect(inside.split(' ').filter(isPublicAddress)).toEqual([]);
    expect(outside.split(' ').filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it('are checked when connecting, whatever the name resolved to before', async () => {
    await using receiver = await startReceiver();
    const [sqlite] = engines as [(typeof engines)[number]];
    await using service = await startService(sqlite, {
      now,
      intervalMs: 20,
      // A name that resolved to a public address when the webhook was created.
      webhooks: {
        sender: createWebhookSender({ allowPrivate: false, resolve: async () => ['127.0.0.1'] }),
      },
    });
    const client = clientOf(service, await service.openStore());
    const webhook = await create(client, { url: `https://rebound.example:${receiver.port}/` });
    await client(`POST /v2/webhooks/${webhook.id}/test`);
    const [delivery] = await until(
      () => deliveriesOf(client, webhook),
      ([one]) => one?.attempts.length === 1,
    );
    expect(delivery?.attempts[0]).toMatchObject({ status: null, error: 'the address is not public' });
    const rejected = await client('POST /v2/webhooks', { body: { url: receiver.url } });
    expect([rejected.status, rejected.error().code]).toEqual([422, 'invalid_webhook_url']);
  });

  it('keep a delivery that arrived, and fail one after 410', () => {
    const attempt = { at: '', url: '', durationMs: 1, answer: '', error: null };
    expect(outcomeOf({ ...attempt, status: 204 }, 0, 0).status).toBe('delivered');
    expect(outcomeOf({ ...attempt, status: 410 }, 0, 0)).toEqual({ status: 'failed', nextAt: null });
    expect(outcomeOf({ ...attempt, status: 301 }, 7, 0)).toEqual({ status: 'failed', nextAt: null });
    expect(outcomeOf({ ...attempt, status: null }, 0, 0, 0.5).nextAt).toBe(5250n);
  });
});
