import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { outageSeconds } from '../support/effort.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Client, clientOf } from '../support/v2.ts';

const DAY_MS = 86_400_000;

/** A clock that only advances when a test sets it. */
function testClock() {
  const clock = { offset: 0 };
  const begun = Date.now();
  return {
    clock,
    options: { now: () => begun + clock.offset, webhooks: { allowPrivate: true }, intervalMs: 20 },
  };
}

const changePet = (client: Client, stock = 5) => client('PATCH /v2/pets/1', { body: { stock } });

async function createWebhook(client: Client, url: string): Promise<string> {
  return (await client('POST /v2/webhooks', { body: { url } })).json<{ id: string }>().id;
}

const eventIds = (messages: readonly Received[]) => new Set(messages.map(({ body }) => JSON.parse(body).id));

/** Adds unfinished deliveries of a test, each after one failed try, until the webhook has as many as it may have. */
function fill(webhookId: string, from: number): string {
  const body = '{"id":"0","type":"webhook.test","at":"2026-11-16T00:00:00.000Z","data":{}}';
  return `INSERT INTO deliveries (webhook_id, id, body, status, tries, attempts, next_at, created_at)
    WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    SELECT '${webhookId}', i, '${body}', 'pending', 1, '[]', ${Date.now() + DAY_MS}, ${Date.now()} FROM n;
    UPDATE webhooks SET next_delivery_id = 1001 WHERE id = '${webhookId}'`;
}

/** Marks most of the deliveries of `fill` as failed, without sending them. */
const failMost = `UPDATE deliveries SET status = 'failed', next_at = NULL WHERE id > 100`;

const countOf = async ({ rows }: TestDatabase, where: string) =>
  Number((await rows(`SELECT count(*) AS n FROM deliveries WHERE ${where}`))[0]?.n);

const givenUp = async (service: TestService, reason: string) =>
  (await readMetrics(service.request)).get(`petstore_webhook_events_given_up_total{reason="${reason}"}`);

describe.each(engines)('a webhook on $name', (engine) => {
  it('loses no events when tests fill its queue: tests are rejected, and events arrive after recovery', async () => {
    let isDown = true;
    await using receiver = await startReceiver((_, response) => response.writeHead(isDown ? 503 : 204).end());
    const { options } = testClock();
    await using service = await startService(engine, options);
    const client = clientOf(service, await service.openStore());
    const id = await createWebhook(client, receiver.url);
    for (let stock = 0; stock < 30; stock++) await changePet(client, stock);
    const { database } = service;
    await expect.poll(() => countOf(database, 'tries = 1 AND claimed_until IS NULL')).toBe(30);
    await database.exec(fill(id, 31));

    const rejected = await client(`POST /v2/webhooks/${id}/test`);
    expect([rejected.status, rejected.error().code]).toEqual([409, 'delivery_limit_reached']);
    for (let stock = 30; stock < 35; stock++) await changePet(client, stock);
    await service.app.idle();
    expect(await countOf(database, 'TRUE')).toBe(1000);

    await database.exec(failMost);
    isDown = false;
    // An unfinished one takes no additional capacity. The first success brings the others forward: the clock stands still.
    expect((await client(`POST /v2/webhooks/${id}/deliveries/1/redeliver`)).status).toBe(202);
    await expect.poll(() => countOf(database, 'next_at IS NOT NULL')).toBe(0);
    const events = (await client('GET /v2/store/events?limit=1000')).json<{ data: Array<{ id: string }> }>();
    await expect.poll(() => eventIds(receiver.received).size).toBe(36);
    for (const event of events.data) expect(eventIds(receiver.received)).toContain(event.id);
    // 1,005 are finished, of which the newest are stored.
    await expect.poll(() => countOf(database, 'next_at IS NULL')).toBe(1000);
    expect((await client(`POST /v2/webhooks/${id}/test`)).status).toBe(202);
    const last = await client(`POST /v2/webhooks/${id}/deliveries/1005/redeliver`);
    expect(last.status).toBe(202);
  });

  it('fails unfinished deliveries after seven days and reports it; finished ones are pruned', async () => {
    await using receiver = await startReceiver();
    const { clock, options } = testClock();
    await using database = await engine.create();
    {
      await using service = await startService(engine, { ...options, database });
      const client = clientOf(service, await service.openStore());
      const id = await createWebhook(client, receiver.url);
      await changePet(client);
      await expect.poll(() => countOf(database, "status = 'delivered'")).toBe(1);
      await client(`PATCH /v2/webhooks/${id}`, { body: { active: false } });
      for (let i = 0; i < 3; i++) await client(`POST /v2/webhooks/${id}/test`);
    }
    clock.offset = 7 * DAY_MS - 60_000;
    {
      await using service = await startService(engine, { ...options, database });
      await service.app.idle();
      expect(await countOf(database, 'TRUE')).toBe(4);
    }
    clock.offset = 7 * DAY_MS;
    await using service = await startService(engine, { ...options, database });
    await service.app.idle();
    expect(await countOf(database, 'TRUE')).toBe(0);
    expect(await givenUp(service, 'expired')).toBe(3);
    expect(service.log.filter((line) => line.includes('"reason":"expired","events":3'))).toHaveLength(1);
  });

  it('stops retrying early a message that always fails, and fails it by its schedule', async () => {
    let failures = 0;
    await using receiver = await startReceiver(({ body }, response) => {
      const fails = JSON.parse(body).type === 'pet.created';
      if (fails) failures++;
      response.writeHead(fails ? 500 : 204).end();
    });
    const { clock, options } = testClock();
    await using service = await startService(engine, options);
    const client = clientOf(service, await service.openStore());
    await createWebhook(client, receiver.url);
    await client('POST /v2/pets', { body: { name: 'Rex', category: 'dog' } });
    await settled(service, options.now);
    for (let stock = 0; stock < 12; stock++) {
      await changePet(client, stock);
      await settled(service, options.now);
    }
    expect(failures).toBe(9);
    for (let tries = 0; tries < 8; tries++) {
      clock.offset += 12 * 3_600_000;
      await settled(service, options.now);
    }
    expect(failures).toBe(16);
    expect(await givenUp(service, 'retries')).toBe(1);
  });

  it('behind the event log’s limit gets the rest, and the missed ones are counted', async () => {
    let isDown = true;
    await using receiver = await startReceiver((_, response) => response.writeHead(isDown ? 503 : 204).end());
    const { options } = testClock();
    await using service = await startService(engine, options);
    const store = await service.openStore();
    const client = clientOf(service, store);
    const id = await createWebhook(client, receiver.url);
    await changePet(client, 0);
    const { database } = service;
    await expect.poll(() => countOf(database, 'tries = 1 AND claimed_until IS NULL')).toBe(1);
    await database.exec(fill(id, 2));
    for (let stock = 1; stock <= 10; stock++) await changePet(client, stock);
    const events = (await client('GET /v2/store/events')).json<{ data: Array<{ id: string }> }>().data;
    const overtaken = events[4]?.id;
    await database.exec(
      `DELETE FROM changes WHERE store_id = ${store.storeId} AND revision <= ${overtaken};
       UPDATE stores SET events_forgotten = ${overtaken} WHERE id = ${store.storeId}`,
    );
    await database.exec(failMost);
    isDown = false;
    await client(`POST /v2/webhooks/${id}/deliveries/1/redeliver`);
    await expect.poll(() => countOf(database, 'next_at IS NOT NULL')).toBe(0);
    // The first was a delivery already.
    const arrived = [events[0], ...events.slice(5)].map((event) => event?.id);
    await expect
      .poll(() => [...eventIds(receiver.received)].filter((one) => one !== '0').sort())
      .toEqual(arrived.sort());
    expect(await givenUp(service, 'log_limit')).toBe(4);
  });
});

/** Waits until every delivery that is due has been tried. */
async function settled({ database }: TestService, now: () => number): Promise<void> {
  const isBusy = () =>
    database.rows(`SELECT 1 AS n FROM webhooks WHERE next_due <= ${now()}
      UNION ALL SELECT 1 AS n FROM deliveries WHERE claimed_until > ${now()}`);
  while ((await isBusy()).length > 0) await sleep(5);
}

const EVENTS_A_SECOND = 20;
const MAX_MS_PER_SECOND = 5_000;

async function changeFor(seconds: number, client: Client, tick: () => Promise<void>): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await Promise.all(Array.from({ length: EVENTS_A_SECOND }, (_, stock) => changePet(client, stock)));
    await tick();
  }
}

async function allEvents(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const page = await client(`GET /v2/store/events?limit=1000&after=${after}`);
    const { data, nextCursor } = page.json<{ data: Array<{ id: string }>; nextCursor: string | null }>();
    ids.push(...data.map(({ id }) => id));
    after = nextCursor;
  }
  return ids;
}

async function missing(client: Client, arrived: ReadonlySet<string>): Promise<number> {
  return (await allEvents(client)).filter((id) => !arrived.has(id)).length;
}

describe.each(engines)('a receiver on $name', (engine) => {
  it.each(outageSeconds)(
    'that is down for %i seconds, at 20 events a second, gets every event',
    async (seconds) => {
      const arrived = new Set<string>();
      let isDown = false;
      await using receiver: Receiver = await startReceiver(({ body }, response) => {
        if (!isDown) arrived.add(JSON.parse(body).id);
        response.writeHead(isDown ? 503 : 204).end();
      });
      const { clock, options } = testClock();
      await using service = await startService(engine, options);
      const client = clientOf(service, await service.openStore());
      await createWebhook(client, receiver.url);
      const tick = async () => {
        clock.offset += 1_000;
        await settled(service, options.now);
      };
      await changeFor(3, client, tick);
      isDown = true;
      await changeFor(seconds, client, tick);
      isDown = false;
      await changeFor(3, client, tick);
      let waits = 0;
      for (; (await missing(client, arrived)) > 0 && waits < 24; waits++) {
        clock.offset += 5 * 60_000;
        await settled(service, options.now);
      }
      expect(await missing(client, arrived)).toBe(0);
      expect((await allEvents(client)).length).toBe((seconds + 6) * EVENTS_A_SECOND);
      // Shorter than it takes to fill the webhook: events after the outage bring the retries forward.
      if (seconds < 50) expect(waits).toBe(0);
      expect(await givenUp(service, 'retries')).toBe(0);
    },
    // 20 changes per second of the test's clock.
    MAX_MS_PER_SECOND * Math.max(...outageSeconds, 60),
  );
});
