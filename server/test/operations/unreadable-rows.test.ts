import { describe, expect, it } from 'vitest';
import { startBackgroundJobs } from '../../src/concurrency/background-jobs.ts';
import { eventRetention } from '../../src/events/event-retention.ts';
import { eraseClosedStores } from '../../src/stores/end-stores.ts';
import { pruneExpired } from '../../src/stores/prune-expired.ts';
import { engines } from '../support/engines.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService, type TestService, useService } from '../support/service.ts';
import { type Client, clientOf, type Page } from '../support/v2.ts';

const NEVER = '9223372036854775807';

/** SQL that makes a row of each table unreadable; in tables with data of stores, a row of the given store. */
const unreadable: Readonly<Record<string, (storeId: bigint) => string>> = {
  accounts: () => "INSERT INTO accounts VALUES ('bad', 'no address', -1) ON CONFLICT DO NOTHING",
  credentials: () => "INSERT INTO credentials VALUES ('bad', 'no hash')",
  sessions: () =>
    `INSERT INTO sessions (id, account_id, token, created_at, expires_at, seen_at, address, agent)
     VALUES ('bad', 'bad', '', -1, 1, ${NEVER}, '', '')`,
  audit: () => "INSERT INTO audit VALUES ('bad', -1, '', 'nothing', NULL, NULL, '')",
  attempts: () => "INSERT INTO attempts VALUES ('bad', -5, 1)",
  secrets: () => "INSERT INTO secrets VALUES ('', '')",
  probes: () => "INSERT INTO probes VALUES (-1, '')",
  keys: (storeId) => `UPDATE keys SET scope = 'none', expires_at = ${NEVER} WHERE store_id = ${storeId}`,
  pets: (storeId) => `UPDATE pets SET name = '', category = '', revision = -1 WHERE store_id = ${storeId}`,
  orders: (storeId) =>
    `UPDATE orders SET status = 'lost', ship_date = ${NEVER} WHERE store_id = ${storeId} AND id = 1`,
  order_counts: (storeId) => `UPDATE order_counts SET count = -1 WHERE store_id = ${storeId}`,
  changes: (storeId) => `UPDATE changes SET at = ${NEVER}, pet_id = NULL WHERE store_id = ${storeId}`,
  idempotency: (storeId) => `INSERT INTO idempotency VALUES (${storeId}, '', '', '{', -1, 1)`,
  faults: (storeId) =>
    `INSERT INTO faults VALUES (${storeId}, -1, 'none', 'none', '{', NULL, 'often', 0, 0, 0)`,
  requests: (storeId) =>
    `INSERT INTO requests VALUES (${storeId}, -1, '', '', '', '', NULL, -1, NULL, -1, NULL, NULL, NULL, 'none', NULL, NULL, NULL)`,
  deliveries: (storeId) =>
    `UPDATE deliveries SET attempts = '{', body = '{', status = 'lost', tries = -1, next_at = 0
     WHERE webhook_id IN (SELECT id FROM webhooks WHERE store_id = ${storeId});
     UPDATE webhooks SET next_due = 0 WHERE store_id = ${storeId}`,
  webhooks: (storeId) =>
    `UPDATE webhooks SET url = 'nowhere', types = 'none', secret = 'none' WHERE store_id = ${storeId}`,
  stores: (storeId) => `UPDATE stores SET revision = ${NEVER}, faults_until = -1 WHERE id = ${storeId}`,
};

async function withWebhook(service: TestService, url: string) {
  const store = await service.openStore();
  const client = clientOf(service, store);
  const { id } = (await client('POST /v2/webhooks', { body: { url } })).json<{ id: string }>();
  return { ...store, client, webhookId: id };
}

const change = (client: Client) => client('PATCH /v2/pets/1', { body: { stock: 5 } });

/** Runs all pruning and erasing jobs, and returns their errors. */
async function runCleanupJobs({ deployment: { db, writer } }: TestService): Promise<unknown[]> {
  const failures: unknown[] = [];
  const jobs = [
    eraseClosedStores(db, writer, Date.now),
    pruneExpired(db, writer, Date.now),
    eventRetention(db, writer, Date.now),
  ];
  const background = startBackgroundJobs(jobs, {
    onFailure: (error) => failures.push(error),
    isUnavailable: () => false,
  });
  for (const job of jobs) await background.wake(job);
  await background.stop();
  return failures;
}

describe.each(engines)('an unreadable row, on $name', (engine) => {
  const options = { webhooks: { allowPrivate: true }, intervalMs: 20 };
  // Shared by all tests: rows that earlier tests made unreadable stay unreadable.
  const service = useService(engine, options);

  it.each(Object.entries(unreadable))('of %s does not block work on other rows', async (table, sql) => {
    await using receiver = await startReceiver();
    const to = (name: string) => receiver.received.filter(({ path }) => path.endsWith(name)).length;
    const bad = await withWebhook(service(), `${receiver.url}/bad`);
    const good = await withWebhook(service(), `${receiver.url}/good`);
    await change(bad.client);
    await receiver.waitForMessages(1);
    const { database } = service();
    if (table === 'credentials' || table === 'sessions')
      await database.exec(String(unreadable.accounts?.(bad.storeId)));
    // One transaction per statement: together they would lock rows in another order than the jobs do.
    for (const statement of sql(bad.storeId).split(';')) await database.exec(statement);

    const closed = await service().openStore();
    await database.exec(
      `UPDATE stores SET closed_at = 1 WHERE id = ${closed.storeId};
       INSERT INTO attempts VALUES ('expired', 1, 1)`,
    );
    await runCleanupJobs(service());
    expect(await database.rows(`SELECT id FROM stores WHERE id = ${closed.storeId}`)).toEqual([]);
    expect(await database.rows("SELECT 1 AS n FROM attempts WHERE bucket = 'expired'")).toEqual([]);

    await change(good.client);
    await expect.poll(() => to('good')).toBe(1);
    expect((await service().request('GET /healthz')).status).toBe(200);
  });

  it('is skipped if it is an event or a delivery: later ones are sent', async () => {
    await using receiver = await startReceiver();
    await using service = await startService(engine, options);
    const { client, storeId, webhookId } = await withWebhook(service, receiver.url);
    // The outcome of a delivery is stored after its receiver has responded.
    const status = async () => (await service.database.rows('SELECT status FROM deliveries'))[0]?.status;
    await change(client);
    await receiver.waitForMessages(1);
    await expect.poll(status).toBe('delivered');
    await service.database.exec(unreadable.deliveries?.(storeId).replace("body = '{', ", '') ?? '');
    await receiver.waitForMessages(2);
    await expect.poll(status).toBe('delivered');
    const page = await client(`GET /v2/webhooks/${webhookId}/deliveries`);
    expect(page.json<Page<{ id: bigint }>>().data.map(({ id }) => id)).toEqual([1n]);

    await client(`PATCH /v2/webhooks/${webhookId}`, { body: { active: false } });
    await change(client);
    await service.database.exec(unreadable.changes?.(storeId) ?? '');
    await service.database.exec(`UPDATE webhooks SET active = 1 WHERE id = '${webhookId}'`);
    await change(client);
    await receiver.waitForMessages(3);
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(Array(3).fill('pet.changed'));
    expect(service.log.filter((line) => line.includes('"job":"webhooks"'))).toHaveLength(1);
    const metrics = (await service.request('GET /metrics')).text;
    expect(metrics).toMatch(/^petstore_background_failures_total\{.*\} [1-9]/m);
  });
});
