import { globalAgent } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { watchHealth } from '../../src/api/health.ts';
import { Unavailable } from '../../src/database/engine.ts';
import { countRequests } from '../../src/rate-limiting/count-attempts.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { exchange } from '../support/http.ts';
import { startService, useService } from '../support/service.ts';

/** Makes every write to a table fail, as on a full disk. */
const rejectWrites = {
  sqlite: (table: string) =>
    `CREATE TRIGGER refuse_${table} BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END;
     ${table === 'probes' ? "INSERT INTO probes VALUES (1, '') ON CONFLICT DO NOTHING" : 'SELECT 1'}`,
  postgres: (table: string) =>
    `CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS
     $$BEGIN RAISE 'full' USING ERRCODE = '53100'; END$$;
     CREATE TRIGGER refuse_${table} BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION refuse_${table}()`,
};

describe.each(engines)('operations on $name', (engine) => {
  const service = useService(engine);

  it('/healthz and /readyz respond 200 without a key', async () => {
    const { request } = service();
    expect((await request('GET /healthz')).json()).toEqual({ status: 'ok' });
    expect((await request('GET /readyz')).json()).toEqual({ status: 'ready' });
    expect((await request('HEAD /readyz')).status).toBe(200);
  });

  it('/readyz is 503 while changes fail, and 200 as soon as they would succeed', async () => {
    await using service = await startService(engine);
    const { request, database } = service;
    const { key } = await service.openStore();
    await database.exec(rejectWrites[engine.name]('orders'));
    expect((await request('DELETE /v1/store/orders/2', { key })).status).toBeGreaterThanOrEqual(500);
    // A problem with one store or one table is not an outage.
    expect((await request('GET /readyz')).status).toBe(200);

    await database.exec(rejectWrites[engine.name]('probes'));
    expect((await request('DELETE /v1/store/orders/2', { key })).status).toBeGreaterThanOrEqual(500);
    const ready = await request('GET /readyz');
    expect([ready.status, ready.json()]).toMatchObject([503, { code: 'unavailable' }]);
    expect((await request('GET /healthz')).status).toBe(200);

    for (const table of ['orders', 'probes'])
      await database.exec(
        `DROP TRIGGER refuse_${table} ${engine.name === 'sqlite' ? '' : `ON ${table} CASCADE`}`,
      );
    expect((await request('GET /readyz')).status).toBe(200);
    expect((await request('DELETE /v1/store/orders/2', { key })).status).toBe(204);
  });

  it('/readyz is 503 from the start if the database is read-only', async () => {
    await using service = await startService(engine);
    await service.database.exec(rejectWrites[engine.name]('probes'));
    for (let i = 0; i < 3; i++) expect((await service.request('GET /readyz')).status).toBe(503);
  });

  it('/readyz probes one write at a time, however many changes fail meanwhile', async () => {
    const { db } = service().deployment;
    const probe = Promise.withResolvers<never>();
    let probes = 0;
    const full: Writer = {
      apply({ name }) {
        if (name !== 'probeWrite') return Promise.reject(new Unavailable('full'));
        probes++;
        return probe.promise;
      },
      onCommit() {},
      async close() {},
    };
    const { writer, respondReadiness } = watchHealth({ ...db, all: async () => [] }, full, () => false);
    const checks: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      await expect(writer.apply(countRequests, { counts: [] })).rejects.toThrow('full');
      checks.push(respondReadiness({ responseHeaders: [] } as never));
      await nextTick();
    }
    expect(probes).toBe(1);
    probe.reject(new Unavailable('full'));
    for (const { status } of await Promise.allSettled(checks)) expect(status).toBe('rejected');
  });

  it('/metrics has latency by operation and status, event-loop delay, and stores', async () => {
    const { request, openStore } = service();
    const { key } = await openStore();
    await request('GET /v1/store/orders', { key });
    await request('DELETE /v1/store/orders/2', { key });
    await request('DELETE /v1/store/orders/2', { key });
    await request('GET /v1/pets');
    await request('GET /nothing');
    const { status, headers, text } = await request('GET /metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const count = (operation: string, code: number) =>
      new RegExp(
        `^petstore_request_duration_seconds_count\\{(?=.*operation="${operation}")(?=.*status="${code}")(?=.*deployment="production").*\\} [1-9]`,
        'm',
      );
    expect(text).toMatch(count('v1.listOrders', 200));
    expect(text).toMatch(count('v1.cancelOrder', 204));
    expect(text).toMatch(count('v1.cancelOrder', 404));
    expect(text).toMatch(count('v1.listPets', 401));
    expect(text).toMatch(count('none', 404));
    expect(text).not.toContain('operation="listOrders"');
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds\{/m);
    expect(text).toMatch(/^petstore_stores\{.*\} [1-9]/m);
    expect(text).not.toContain(key.slice(9));
  });

  // The following does not depend on the database.
  if (!anyEngine.includes(engine)) return;

  it('/readyz is 503 while the database does not respond; /healthz stays 200', async () => {
    await using cut = await startService(engine, {
      wrap: (db) => ({
        ...db,
        all: async () => {
          throw new Unavailable('gone');
        },
      }),
    });
    const ready = await cut.request('GET /readyz');
    expect([ready.status, ready.json()]).toMatchObject([503, { code: 'unavailable', status: 503n }]);
    expect((await cut.request('GET /healthz')).status).toBe(200);
    // A value that cannot be read is omitted; other workers may report it.
    const metrics = await cut.request('GET /metrics');
    expect(metrics.text).toMatch(/^petstore_connections_open\{/m);
    expect(metrics.text).not.toMatch(/^petstore_stores\{/m);
  });

  it('/metrics is served only locally: 404 through a proxy', async () => {
    const { request } = service();
    for (const name of ['x-forwarded-for', 'forwarded', 'X-Forwarded-For', 'Via', 'X-Real-IP']) {
      const response = await request('GET /metrics', { headers: { [name]: '127.0.0.1' } });
      expect([response.status, response.json()]).toMatchObject([404, { code: 'not_found' }]);
    }
  });

  it('/metrics is served only under the machine’s own name: 404 for any other Host', async () => {
    const { request } = service();
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:8080', '[::1]:8080', '127.9.9.9']) {
      expect([host, (await request('GET /metrics', { headers: { host } })).status]).toEqual([host, 200]);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example:80',
      '127.evil.example',
      '10.0.0.1',
      '[::2]',
    ]) {
      expect([host, (await request('GET /metrics', { headers: { host } })).status]).toEqual([host, 404]);
    }
  });

  it('every response forbids content sniffing', async () => {
    const { port, openStore } = service();
    const { key } = await openStore();
    const paths = ['/', '/console', '/console/api/session', '/docs', '/docs/', '/guides', '/healthz'];
    paths.push(
      '/readyz',
      '/metrics',
      '/v1/openapi.json',
      '/v2/openapi.yaml',
      '/v1/pets',
      '/v1/nothing',
      '/no',
    );
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      for (const path of paths) {
        const { headers } = await exchange(port, globalAgent, method, path, {
          authorization: `Bearer ${key}`,
        });
        expect([method, path, headers['x-content-type-options']]).toEqual([method, path, 'nosniff']);
      }
    }
  });

  it('/metrics is never served with a trusted proxy: forwarded requests could look local', async () => {
    for (const behind of [{ trustProxy: true }, { baseUrl: 'https://pets.example' }]) {
      await using service = await startService(engine, behind);
      expect((await service.request('GET /metrics')).status).toBe(404);
    }
    await using open = await startService(engine, { trustProxy: true, metricsForAnyone: true });
    expect((await open.request('GET /metrics')).status).toBe(200);
  });

  it('/metrics is public if configured', async () => {
    await using open = await startService(engine, { metricsForAnyone: true });
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect((await open.request('GET /metrics', { headers })).status).toBe(200);
  });
});
