import { describe, expect, it } from 'vitest';
import { engines, sqlite } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { openSocket } from '../support/http.ts';
import { readMetrics } from '../support/read-metrics.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService, type TestService } from '../support/service.ts';

const json = { 'content-type': 'application/json' };
const valueNow = async ({ request }: TestService, name: string) => (await readMetrics(request)).get(name);

describe.each(engines)('metrics on $name', (engine) => {
  it('separate requests of v1 and v2, and count rejections by code', async () => {
    await using service = await startService(engine);
    const { key } = await service.openStore();
    await service.request('GET /v1/store/orders', { key });
    await service.request('GET /v2/store/orders', { key });
    await service.request('GET /v2/store/orders', { key });
    await service.request('GET /v2/store/orders?limit=0', { key });
    await service.request('GET /v1/pets');
    const metrics = await readMetrics(service.request);
    const count = 'petstore_request_duration_seconds_count';
    expect(metrics.get(`${count}{operation="v1.listOrders",status="200"}`)).toBe(1);
    expect(metrics.get(`${count}{operation="v2.listOrders",status="200"}`)).toBe(2);
    expect(metrics.get('petstore_refusals_total{code="invalid_parameter"}')).toBe(1);
    expect(metrics.get('petstore_refusals_total{code="missing_api_key"}')).toBe(1);
    expect(metrics.get('petstore_build_info{version="1.0.0"}')).toBe(1);
  });

  it('count commits, waiting changes, and cached lists', async () => {
    await using service = await startService(engine, { inspector: false });
    const { key } = await service.openStore();
    const list = await service.request('GET /v1/store/orders', { key });
    // None of the waiting changes belongs to a background job.
    await service.app.idle();
    const before = await readMetrics(service.request);
    // Each response counts 1,000 bytes of overhead.
    expect(before.get('petstore_list_memory_bytes')).toBe(list.bytes.length + 1_000);
    expect(before.get('petstore_list_memory_limit_bytes')).toBe(64 * 1024 * 1024);
    expect(before.get('petstore_changes_waiting')).toBe(0);
    const sum = (metrics: Map<string, number>) => metrics.get('petstore_commit_changes_sum') ?? 0;
    let cancelled: Promise<unknown>;
    {
      await using _ = await service.database.holdWriters();
      cancelled = service.request('DELETE /v1/store/orders/2', { key });
      await expect.poll(() => valueNow(service, 'petstore_changes_waiting')).toBe(1);
      expect(await valueNow(service, 'petstore_requests_in_flight')).toBe(2);
    }
    await cancelled;
    await expect
      .poll(async () => sum(await readMetrics(service.request)))
      .toBeGreaterThanOrEqual(sum(before) + 1);
    const after = await readMetrics(service.request);
    await expect.poll(() => valueNow(service, 'petstore_changes_waiting')).toBe(0);
    expect(after.get('petstore_commit_duration_seconds_count')).toBe(
      after.get('petstore_commit_changes_count'),
    );
  });

  it('count connections, streams, and database connections', async () => {
    await using service = await startService(engine);
    const { key } = await service.openStore();
    const silent = await openSocket(service.port);
    const reader = await readEvents(service, { key });
    await expect.poll(() => valueNow(service, 'petstore_event_streams_open')).toBe(1);
    expect(await valueNow(service, 'petstore_connections_open')).toBe(3);
    reader[Symbol.dispose]();
    silent.destroy();
    await expect.poll(() => valueNow(service, 'petstore_event_streams_open')).toBe(0);
    await expect.poll(() => valueNow(service, 'petstore_connections_open')).toBe(1);
    await using _ = await service.deployment.db.snapshot();
    expect(await valueNow(service, 'petstore_database_connections_in_use{pool="snapshot"}')).toBe(1);
    expect(await valueNow(service, 'petstore_database_connections_wanted{pool="snapshot"}')).toBe(0);
    // Reading the metric is not itself a waiting request.
    const wanted = [...(await readMetrics(service.request))].filter(([name]) => name.includes('_wanted'));
    expect(wanted.filter(([, count]) => count > 0)).toEqual([]);
  });

  it('show waiting deliveries, the age of the oldest, and attempts by outcome', async () => {
    const begun = Date.now();
    const clock = { ahead: 0 };
    await using service = await startService(engine, {
      now: () => begun + clock.ahead,
      webhooks: { allowPrivate: true },
      intervalMs: 20,
    });
    await using down = await startReceiver((_, response) => response.writeHead(500).end());
    await using up = await startReceiver();
    const { key } = await service.openStore();
    for (const { url } of [down, up])
      await service.request('POST /v2/webhooks', { key, headers: json, body: JSON.stringify({ url }) });
    await service.request('DELETE /v1/store/orders/2', { key });
    const reported = async () => {
      const metrics = await readMetrics(service.request);
      const tries = (outcome: string) => metrics.get(`petstore_webhook_attempts_total{outcome="${outcome}"}`);
      return [tries('delivered'), tries('failed'), metrics.get('petstore_webhook_deliveries_waiting')];
    };
    await expect.poll(reported).toEqual([1, 1, 1]);
    clock.ahead = 1_000_000;
    expect(await valueNow(service, 'petstore_webhook_oldest_delivery_seconds')).toBeGreaterThanOrEqual(1_000);
    expect(await valueNow(service, 'petstore_webhook_attempts_total{outcome="given_up"}')).toBe(0);
  });

  it('count pruned idempotency keys', async () => {
    const clock = { ahead: 0 };
    const now = () => Date.now() + clock.ahead;
    await using before = await startService(engine, { now });
    const { key } = await before.openStore();
    const headers = { ...json, 'idempotency-key': 'one' };
    const body = '{"petId":1,"quantity":1}';
    await before.request('POST /v2/store/orders', { key, headers, body });
    clock.ahead = 25 * 3_600_000;
    await using after = await startService(engine, { now, database: before.database });
    // The first of the two prunes it.
    const pruned = async () => {
      const each = [before, after].map((metrics) =>
        valueNow(metrics, 'petstore_idempotency_keys_pruned_total'),
      );
      return (await Promise.all(each)).toSorted();
    };
    await expect.poll(pruned).toEqual([0, 1]);
  });
});

it('metrics have no label that clients can grow', async () => {
  await using service = await startService(sqlite);
  const { key } = await service.openStore();
  const sendRequest = async () => {
    for (let i = 0; i < 5; i++) {
      const token = `${Math.random()}`.replace('.', '');
      await service.request(`GET /v1/${token}`, { key });
      await service.request(`GET /${token}`);
      await service.request(`GET /v1/pets/${token}`, { key });
      await service.request('GET /v1/pets', { key: token });
      await service.request(`GET /v1/pets?${token}`, { key, headers: { 'user-agent': token } });
    }
    return [...(await readMetrics(service.request)).keys()].filter((name) => name.startsWith('petstore_'));
  };
  await sendRequest();
  const before = await sendRequest();
  expect(await sendRequest()).toEqual(before);
});
