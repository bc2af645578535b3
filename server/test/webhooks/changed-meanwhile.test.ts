import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../src/database/engine.ts';
import type { Connection } from '../../src/database/query.ts';
import { eventsAfter } from '../../src/events/event.ts';
import { webhooksDue } from '../../src/webhooks/advance-webhook.ts';
import { createDeliveries } from '../../src/webhooks/delivery-job.ts';
import { resetFutureDueTimes } from '../../src/webhooks/maintain-deliveries.ts';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { engines } from '../support/engines.ts';
import { runJob } from '../support/jobs.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Client, clientOf, type Page } from '../support/v2.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';

type Webhook = { id: string; active: boolean };
type Delivery = { status: string; attempts: Array<{ status: bigint }> };

const addPet = (client: Client, name: string) => client('POST /v2/pets', { body: { name, category: 'dog' } });
const create = async (client: Client, body: object) =>
  (await client('POST /v2/webhooks', { body })).json<Webhook>();
const change = (client: Client, { id }: Webhook, body: object) =>
  client(`PATCH /v2/webhooks/${id}`, { body });
const newClient = async (service: TestService) => clientOf(service, await service.openStore());
const quick = { webhooks: { allowPrivate: true }, intervalMs: 20 };

/** Calls `happens` before each execution of one query. */
const before =
  (target: object, happens: () => Promise<void>) =>
  <Db extends Connection>(db: Db): Db => ({
    ...db,
    async all(query, params) {
      if ((query as object) === target) await happens();
      return db.all(query, params);
    },
  });

describe.each(engines)('a webhook on $name', (engine) => {
  it('whose address has changed is not turned off by the old one’s 410, and the new one gets the message', async () => {
    const held: ServerResponse[] = [];
    await using old = await startReceiver((_, response) => held.push(response));
    await using other = await startReceiver();
    const begun = Date.now();
    let ahead = 0;
    await using service = await startService(engine, { ...quick, now: () => begun + ahead });
    const client = await newClient(service);
    const webhook = await create(client, { url: old.url });
    await addPet(client, 'Ada');
    await old.waitForMessages(1);
    await change(client, webhook, { url: other.url });
    held[0]?.writeHead(410).end();
    const delivery = async () =>
      (await client(`GET /v2/webhooks/${webhook.id}/deliveries`)).json<Page<Delivery>>().data[0];
    await expect.poll(delivery).toMatchObject({ status: 'pending', attempts: [{ status: 410n }] });
    expect((await client(`GET /v2/webhooks/${webhook.id}`)).json<Webhook>().active).toBe(true);
    ahead = 30_000;
    await expect.poll(delivery).toMatchObject({ status: 'delivered' });
    expect(JSON.parse(other.received[0]?.body ?? '')).toMatchObject({ data: { name: 'Ada' } });
  });

  it('whose types have changed gets events since then by the new types', async () => {
    await using receiver = await startReceiver();
    let meanwhile = async () => {};
    const wrap = before(eventsAfter, () => meanwhile());
    await using service = await startService(engine, { ...quick, wrap });
    const client = await newClient(service);
    const webhook = await create(client, { url: receiver.url, types: ['pet.changed'] });
    meanwhile = async () => {
      meanwhile = async () => {};
      await change(client, webhook, { types: ['pet.created'] });
      await addPet(client, 'Ada');
    };
    await client('PATCH /v2/pets/1', { body: { stock: 5 } });
    const [first] = await receiver.waitForMessages(1);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'pet.created' });
  });

  it('is sent events even under a constant stream of them', async () => {
    await using receiver = await startReceiver();
    let rounds = 0;
    let happens = async () => {};
    const wrap = before(webhooksDue, () => happens());
    await using service = await startService(engine, { ...quick, wrap });
    const client = await newClient(service);
    await create(client, { url: receiver.url });
    happens = async () => {
      if (receiver.received.length > 0 || rounds === 500) return;
      rounds += 1;
      await addPet(client, 'Ada');
    };
    await addPet(client, 'Ada');
    await receiver.waitForMessages(1);
    expect(rounds).toBeLessThan(500);
  });

  it('gets its due messages even if many earlier ones wait for their receivers', async () => {
    withoutTimeLimits();
    const sender = createWebhookSender({ allowPrivate: true });
    await using service = await startService(engine, {
      ...quick,
      quotas: { webhooks: 70n },
      webhooks: { allowPrivate: true, sender },
    });
    const { storeId } = await service.openStore();
    await using silent = await startReceiver(() => {});
    // Two deliveries of each are due. Beyond 16 attempts of an owner, the second waits for the first.
    const numbers =
      'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 70)';
    await service.database.exec(
      `INSERT INTO webhooks (id, store_id, url, types, secret, active, revision, next_delivery_id, created_at, next_due)
       ${numbers} SELECT 'wh_' || n, ${storeId}, '${silent.url}/' || n, '', 'whsec_YQ==', 1, stores.revision, 3, 0, n
       FROM numbers, stores WHERE stores.id = ${storeId};
       INSERT INTO deliveries (webhook_id, id, body, status, tries, attempts, next_at, created_at)
       ${numbers} SELECT 'wh_' || n, id, '{}', 'pending', 0, '[]', n, ${Date.now()}
       FROM numbers, (SELECT 1 AS id UNION SELECT 2) AS ids`,
    );
    const reached = () => new Set(silent.received.map(({ path }) => path));
    await expect.poll(() => reached().size).toBe(70);
  });

  it('that an older version left unmarked is found', async () => {
    await using receiver = await startReceiver();
    await using database = await engine.create();
    const store = await (async () => {
      await using service = await startService(engine, { ...quick, database });
      const opened = await service.openStore();
      const client = clientOf(service, opened);
      await create(client, { url: receiver.url });
      await addPet(client, 'first');
      await receiver.waitForMessages(1);
      return opened;
    })();
    // A change to the store that marks nothing.
    await database.exec(
      `INSERT INTO changes (store_id, revision, at, type, pet_id, name, category, stock)
       SELECT store_id, revision + 1, at, type, pet_id, 'second', category, stock FROM changes WHERE store_id = ${store.storeId};
       UPDATE stores SET revision = revision + 1 WHERE id = ${store.storeId};
       UPDATE webhooks SET next_due = NULL`,
    );
    await using _ = await startService(engine, { ...quick, database });
    await receiver.waitForMessage(({ body }) => JSON.parse(body).data.name === 'second');
  });

  it.each(['has come to its end', 'was ended'])('of a store that %s is sent nothing more', async (how) => {
    await using receiver = await startReceiver(({ path }, response) =>
      response.writeHead(path.endsWith('ended') ? 500 : 204).end(),
    );
    const begun = Date.now();
    let ahead = 0;
    const now = () => begun + ahead;
    await using service = await startService(engine, { ...quick, now, deployment: 'staging' });
    const opener = await newClient(service);
    const opened = await opener('POST /v2/sandbox/stores', { body: { expiresIn: 60 } });
    const ended = clientOf(service, opened.json<{ key: string }>());
    const { id } = await create(ended, { url: `${receiver.url}/ended` });
    await addPet(ended, 'Ada');
    const tries = async () =>
      service.database.rows(`SELECT tries FROM deliveries WHERE webhook_id = '${id}'`);
    await expect.poll(tries).toEqual([{ tries: 1n }]);
    if (how === 'was ended') await ended('DELETE /v2/sandbox/stores/current');
    ahead = 61_000;
    await create(opener, { url: `${receiver.url}/opener` });
    for (const [i, name] of ['Ben', 'Cat', 'Dan'].entries()) {
      await addPet(opener, name);
      await receiver.waitForMessages(2 + i);
    }
    expect(receiver.received.filter(({ path }) => path.endsWith('ended'))).toHaveLength(1);
  });

  it('that is off gets a test after it is turned on', async () => {
    await using receiver = await startReceiver();
    await using service = await startService(engine, quick);
    const client = await newClient(service);
    const webhook = await create(client, { url: receiver.url });
    await change(client, webhook, { active: false });
    expect((await client(`POST /v2/webhooks/${webhook.id}/test`)).status).toBe(202);
    await change(client, webhook, { active: true });
    const [first] = await receiver.waitForMessages(1);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'webhook.test' });
  });

  it('scheduled by a clock that was ahead is tried at once, even if rescheduling fails at first', async () => {
    await using service = await startService(engine, { ...quick, intervalMs: 1e9 });
    const { storeId } = await service.openStore();
    const later = Date.now() + 3_600_000;
    const numbers =
      'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)';
    await service.database.exec(
      `INSERT INTO webhooks (id, store_id, url, types, secret, active, revision, next_delivery_id, created_at, next_due)
       ${numbers} SELECT 'wh_' || n, ${storeId}, 'http://127.0.0.1:1/', '', 'whsec_YQ==', 1, stores.revision, 2, 0, ${later}
       FROM numbers, stores WHERE stores.id = ${storeId};
       INSERT INTO deliveries (webhook_id, id, body, status, tries, attempts, next_at, created_at)
       ${numbers} SELECT 'wh_' || n, 1, '{}', 'pending', 1, '[]', ${later}, ${Date.now()} FROM numbers WHERE n > 1`,
    );
    let resets = 0;
    const { db } = service.deployment;
    const writer: Writer = {
      ...service.deployment.writer,
      async apply(verb, args) {
        if ((verb as object) === resetFutureDueTimes && ++resets === 1) throw new Unavailable('not now');
        return service.deployment.writer.apply(verb, args);
      },
    };
    const sender = { send: () => new Promise<never>(() => {}), close: () => {} };
    const log = pino({ enabled: false });
    const job = createDeliveries({ db, writer, sender, log, now: Date.now, maxWebhooks: 10 });
    await expect(runJob(job)).rejects.toThrow('not now');
    const waiting = () => service.database.rows(`SELECT id FROM webhooks WHERE next_due >= ${later}`);
    expect(await waiting()).toHaveLength(250);
    await runJob(job);
    await runJob(job);
    // The first page failed once; only the webhook without a delivery keeps its time.
    expect(resets).toBe(4);
    expect(await waiting()).toEqual([{ id: 'wh_1' }]);
  });
});
