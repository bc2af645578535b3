import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/webhooks/delivery.ts';
import {
  attemptOf,
  createWebhookSender,
  failure,
  type WebhookSender,
} from '../../src/webhooks/webhook-sender.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService, type TestStore, useService } from '../support/service.ts';
import { type Client, clientOf, type Page, walk } from '../support/v2.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';

interface Delivery {
  id: bigint;
  status: string;
  attempts: Array<{ status: bigint | null; answer: string | null }>;
}

const begun = Date.now();
const options = { now: () => begun, webhooks: { allowPrivate: true }, intervalMs: 20 };
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

async function create(client: Client, url: string, types?: string[]): Promise<string> {
  return (await client('POST /v2/webhooks', { body: { url, types } })).json<{ id: string }>().id;
}

const changePet = (client: Client) => client('PATCH /v2/pets/1', { body: { stock: 5 } });
const deliveriesOf = async (client: Client, id: string) =>
  (await client(`GET /v2/webhooks/${id}/deliveries?limit=1000`)).json<Page<Delivery>>();

/** Puts deliveries into the database that were tried once, with ids from 1 on. */
function manyDeliveries(
  webhookId: string,
  count: number,
  { status, attempts }: Record<string, string>,
): string {
  const body = '{"id":"0","type":"webhook.test","at":"2026-11-16T00:00:00.000Z","data":{}}';
  return `INSERT INTO deliveries (webhook_id, id, body, status, tries, attempts, next_at, created_at)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT '${webhookId}', i, '${body}', '${status}', 1, '${attempts}', NULL, ${Date.now()} FROM n`;
}

/** Repeats the last change to a store this many times. */
function changedOften({ storeId }: TestStore, count: number): string {
  return `INSERT INTO changes (store_id, revision, at, type, pet_id, name, category, stock)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT store_id, changes.revision + i, at, type, pet_id, changes.name, category, stock
    FROM n, changes JOIN stores ON stores.id = store_id AND stores.revision = changes.revision
    WHERE store_id = ${storeId};
    UPDATE stores SET revision = revision + ${count} WHERE id = ${storeId}`;
}

describe.each(engines)('deliveries on $name', (engine) => {
  const service = useService(engine, options);
  const newClient = async () => clientOf(service(), await service().openStore());

  it('are limited to the newest thousand finished ones per webhook', async () => {
    await using receiver = await startReceiver();
    const client = await newClient();
    const [id, other] = [
      await create(client, receiver.url, ['store.reset']),
      await create(client, receiver.url),
    ];
    await changePet(client);
    // Most of them are from long ago.
    await service().database.exec(
      `${manyDeliveries(id, 1060, { status: 'delivered', attempts: '[]' })};
       UPDATE webhooks SET next_delivery_id = 1061 WHERE id = '${id}'`,
    );
    await Promise.all(times(40).map(() => client(`POST /v2/webhooks/${id}/test`)));
    const ids = async () => {
      const all = await walk<Delivery>(client, `/v2/webhooks/${id}/deliveries`, { limit: '1000' });
      return [all.length, all[0]?.id, all.at(-1)?.id];
    };
    await expect.poll(ids).toEqual([1000, 1100n, 101n]);
    expect((await deliveriesOf(client, other)).data).toHaveLength(1);
  });

  it.runIf(anyEngine.includes(engine))(
    'are all attempted, even for more events than are stored',
    async () => {
      await using receiver = await startReceiver();
      const store = await service().openStore();
      const client = clientOf(service(), store);
      await changePet(client);
      await service().database.exec(changedOften(store, 1099));
      const id = await create(client, receiver.url, ['pet.changed']);
      await service().database.exec(
        `UPDATE webhooks SET revision = revision - 1100, next_due = 0 WHERE id = '${id}'`,
      );
      await receiver.waitForMessages(1100);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1100);
    },
  );

  it.runIf(anyEngine.includes(engine))(
    'show their last eight attempts, with up to two kilobytes of each response',
    async () => {
      await using receiver = await startReceiver((_, response) =>
        response.writeHead(500).end('x'.repeat(1024)),
      );
      const client = await newClient();
      const id = await create(client, receiver.url);
      await changePet(client);
      for (const tried of times(12)) {
        await receiver.waitForMessages(tried + 1);
        await expect
          .poll(async () => (await deliveriesOf(client, id)).data[0]?.attempts.length)
          .toBe(Math.min(tried + 1, 8));
        await client(`POST /v2/webhooks/${id}/deliveries/1/redeliver`);
      }
      const [delivery] = (await deliveriesOf(client, id)).data;
      expect(delivery?.attempts.map(({ status }) => status)).toEqual(Array(8).fill(500n));
      const responses = delivery?.attempts.map(({ answer }) => answer?.length ?? null);
      expect(responses).toEqual([...Array(6).fill(null), 1024, 1024]);
    },
  );

  it.runIf(anyEngine.includes(engine))('are paginated with at most a megabyte per page', async () => {
    const client = await newClient();
    const id = await create(client, 'https://receiver.invalid/', ['store.reset']);
    const tried = { at: '2026-11-16T00:00:00.000Z', url: 'https://receiver.invalid/' };
    const attempt = { ...tried, status: 500, durationMs: 1, error: null };
    const attempts = JSON.stringify([{ ...attempt, answer: '\u0001'.repeat(1024) }]);
    await service().database.exec(manyDeliveries(id, 1000, { status: 'failed', attempts }));
    const first = await client(`GET /v2/webhooks/${id}/deliveries?limit=1000`);
    expect(first.bytes.length).toBeLessThan(1_500_000);
    expect(first.json<Page<Delivery>>().nextCursor).not.toBeNull();
    const all = await walk<Delivery>(client, `/v2/webhooks/${id}/deliveries`, { limit: '1000' });
    expect(all.map((delivery) => delivery.id)).toEqual(times(1000).map((index) => BigInt(1000 - index)));
  });
});

describe.each(engines)('waiting deliveries on $name', (engine) => {
  it.each(anyEngine.includes(engine) ? [1, 10, 72] : [72])(
    'are not postponed because the clock was ahead by %i hours for a while',
    async (hours) => {
      const clock = { offset: 0 };
      await using service = await startService(engine, { ...options, now: () => begun + clock.offset });
      await using receiver = await startReceiver((_, response, count) =>
        response.writeHead(count === 1 ? 500 : 204).end(),
      );
      const client = clientOf(service, await service.openStore());
      const id = await create(client, receiver.url);
      clock.offset = hours * 3_600_000;
      await changePet(client);
      await expect.poll(async () => (await deliveriesOf(client, id)).data[0]?.attempts.length).toBe(1);
      clock.offset = 0;
      await receiver.waitForMessages(2);
    },
  );
});

describe.each(anyEngine)('silent receivers on $name', (engine) => {
  it('get no more attempts for webhooks that are deleted and created again', async () => {
    let attempts = 0;
    const sender: WebhookSender = {
      send: (message, signal) => {
        attempts++;
        const { promise, resolve } = Promise.withResolvers<Attempt>();
        signal?.addEventListener('abort', () => resolve(attemptOf(message, 0, failure(signal.reason))));
        return promise;
      },
      close: () => {},
    };
    await using service = await startService(engine, { ...options, webhooks: { sender } });
    const client = clientOf(service, await service.openStore());
    for (const _ of times(4)) {
      const ids: string[] = [];
      for (const _ of times(10)) ids.push(await create(client, 'https://receiver.invalid/'));
      for (const _ of times(2)) await changePet(client);
      await service.app.idle();
      for (const id of ids) await client(`DELETE /v2/webhooks/${id}`);
    }
    expect(attempts).toBe(16 + 10);
  });

  it('of many stores leave other stores a share of the concurrent attempts', async () => {
    withoutTimeLimits();
    const sender = createWebhookSender({ allowPrivate: true });
    await using service = await startService(engine, {
      ...options,
      webhooks: { allowPrivate: true, sender },
    });
    let closed = 0;
    await using silent = await startReceiver((_, response) => response.once('close', () => closed++));
    const open = async (webhooks: number) => {
      const client = clientOf(service, await service.openStore());
      for (const _ of times(webhooks)) await create(client, silent.url);
      await Promise.all(times(9).map(() => changePet(client)));
    };
    // A store has 16 attempts in flight, and beyond them one for each webhook that has none.
    await open(10);
    await silent.waitForMessages(16);
    for (const stores of times(15)) {
      await open(2);
      await silent.waitForMessages(16 * (stores + 2));
    }
    expect(silent.received.length).toBeLessThanOrEqual(16 + 9 + 16 * 15);
    await using quick = await startReceiver();
    const client = clientOf(service, await service.openStore());
    await create(client, quick.url);
    await changePet(client);
    await quick.waitForMessages(1);
    expect(closed).toBe(0);
  });
});
