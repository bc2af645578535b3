import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/engine.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { openClient } from '../support/v2.ts';

const paths = [
  'GET /v2/store/orders/2',
  'GET /v2/store/orders/2/history',
  'GET /v2/pets/1',
  'GET /v1/pets/1',
  'GET /v2/store/orders?limit=2',
  'GET /v2/pets?limit=2',
] as const;

/** A service that counts how often orders or pets are read. */
async function startCounting(engine: (typeof engines)[number]) {
  const reads = { count: 0 };
  const wrap = (db: Database): Database => ({
    ...db,
    all(query, params) {
      if (/from "?(orders|pets)\b/i.test(query.statementFor(engine.name).sql)) reads.count++;
      return db.all(query, params);
    },
  });
  return { service: await startService(engine, { wrap }), reads };
}

describe.each(engines)('an order, a pet or a page on $name', (engine) => {
  it('is read once until its store changes', async () => {
    const { service, reads } = await startCounting(engine);
    await using _ = service;
    const { client } = await openClient(service);
    const texts = () =>
      Promise.all(
        paths.map(async (path) => {
          const { text, headers } = await client(path);
          return `${headers.link} ${text}`;
        }),
      );
    const before = await texts();
    expect(reads.count).toBe(paths.length);
    expect(await texts()).toEqual(before);
    expect(reads.count).toBe(paths.length);
    await client('POST /v2/store/orders/2/ship');
    await client('PATCH /v2/pets/1', { body: { name: 'Luna' } });
    const after = await texts();
    for (const [i, text] of after.entries()) expect(text).not.toBe(before[i]);
    expect(reads.count).toBe(2 * paths.length);
  });

  it('is read each time if its query is long: a client cannot fill the cache with keys', async () => {
    const { service, reads } = await startCounting(engine);
    await using _ = service;
    const { client } = await openClient(service);
    const page = () => client(`GET /v2/pets?limit=2${'&'.repeat(500)}`);
    expect((await page()).status).toBe(200);
    const once = reads.count;
    await page();
    expect([once, reads.count]).toEqual([1, 2]);
  });

  it('that was missing is looked up again', async () => {
    await using service = await startService(engine);
    const { client } = await openClient(service);
    expect((await client('GET /v2/store/orders/41')).status).toBe(404);
    await client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 } });
    expect((await client('GET /v2/store/orders/41')).status).toBe(200);
  });

  it('is never another store’s', async () => {
    await using service = await startService(engine);
    const [one, other] = [await openClient(service), await openClient(service)];
    await one.client('PATCH /v2/pets/1', { body: { name: 'Luna' } });
    await other.client('PATCH /v2/pets/1', { body: { name: 'Rex' } });
    expect((await one.client('GET /v2/pets/1')).text).toContain('"Luna"');
    expect((await other.client('GET /v2/pets/1')).text).toContain('"Rex"');
  });
});

describe.each(anyEngine)('the response cache on $name', (engine) => {
  it('stays within its budget, however many orders are read', async () => {
    const budget = 8 * 1024;
    await using service = await startService(engine, { lists: { budget } });
    const { client } = await openClient(service);
    for (let id = 1; id <= 40; id++) await client(`GET /v2/store/orders/${id}`);
    const { text } = await service.request('GET /metrics');
    const held = Number(/^petstore_list_memory_bytes\S* (\d+)/m.exec(text)?.[1]);
    expect(held).toBeGreaterThan(budget / 2);
    expect(held).toBeLessThanOrEqual(budget);
  });
});
