import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { allOrders, clientOf, openClient } from '../support/v2.ts';
import { naiveSummary, summaryOf } from './count.ts';

describe.each(engines)('the summary on $name', (engine) => {
  const service = useService(engine, { deployment: 'staging' });
  const large = async (orders: number) => {
    const opened = await openClient(service());
    await opened.client('POST /v2/sandbox/reset', { body: { dataSet: 'large', orders, seed: 3 } });
    return opened;
  };

  it('counts a store that is new, empty, or filled with edge-case IDs', async () => {
    const { client } = await openClient(service());
    const { orders, weeks, stock } = await summaryOf(client);
    expect(orders).toEqual({ pending: 20n, shipped: 10n, delivered: 10n, cancelled: 0n });
    expect(stock).toHaveLength(12);
    expect(weeks.map(({ week }) => new Date(`${week}T00:00:00Z`).getUTCDay())).toEqual(weeks.map(() => 1));
    for (const dataSet of ['int64', 'empty', 'default']) {
      const { revision } = (await client('POST /v2/sandbox/reset', { body: { dataSet } })).json<{
        revision: bigint;
      }>();
      expect(await summaryOf(client)).toMatchObject({ revision });
      expect(await summaryOf(client)).toEqual(await naiveSummary(client));
      // New orders have smaller ids than the largest here.
      if (dataSet === 'int64') await shipAndPlace(client);
      if (dataSet === 'int64') expect(await summaryOf(client)).toEqual(await naiveSummary(client));
    }
  });

  it('has the revision as its ETag, and is 304 while nothing changes', async () => {
    const { client } = await openClient(service());
    const first = await client('GET /v2/store/summary');
    const etag = first.headers.etag as string;
    expect(etag).toMatch(new RegExp(`-${first.json<{ revision: bigint }>().revision}"$`));
    expect((await client('GET /v2/store/summary', { headers: { 'if-none-match': etag } })).status).toBe(304);
    await client('DELETE /v2/store/orders/1');
    await client('POST /v2/pets', { body: { name: 'Luna', category: 'cat', stock: 9 } });
    const later = await client('GET /v2/store/summary', { headers: { 'if-none-match': etag } });
    expect(later.status).toBe(200);
    expect(later.json()).toEqual(await naiveSummary(client));
  });

  it('is exact for its revision during changes on two replicas', async () => {
    const { client, store } = await large(1_200);
    await using replica = await startService(engine, { deployment: 'staging', database: service().database });
    const other = clientOf(replica, store);
    const pending = (await allOrders(client)).filter(({ status }) => status === 'pending');
    const units = new Map<bigint, bigint>();
    const seen: Awaited<ReturnType<typeof summaryOf>>[] = [];
    await Promise.all(
      [client, other].map(async (one, i) => {
        for (const [j, { id }] of pending.slice(0, 30).entries()) {
          const path = `/v2/store/orders/${id}`;
          if (j % 2 !== i) seen.push(await summaryOf(one));
          else await (j % 3 === 0 ? one(`DELETE ${path}`) : one(`POST ${path}/ship`));
        }
      }),
    );
    const events = (await client('GET /v2/store/events?after=1&limit=1000')).json<{
      data: { id: string; type: string; data: { petId: bigint; quantity: bigint } }[];
    }>().data;
    const start = await naiveSummary(client);
    for (const { petId, stock } of start.stock) units.set(petId, stock);
    for (const { revision, orders, weeks, stock } of seen) {
      const later = events.filter(({ id, type }) => BigInt(id) > revision && type !== 'store.reset');
      const shipped = later.filter(({ type }) => type === 'order.shipped').length;
      const cancelled = later.filter(({ type }) => type === 'order.cancelled');
      expect(orders).toEqual({
        pending: start.orders.pending + BigInt(later.length),
        shipped: start.orders.shipped - BigInt(shipped),
        delivered: start.orders.delivered,
        cancelled: start.orders.cancelled - BigInt(cancelled.length),
      });
      expect(weeks.reduce((sum, { pending }) => sum + pending, 0n)).toBe(orders.pending);
      for (const { petId, stock: left } of stock) {
        const back = cancelled.filter(({ data }) => data.petId === petId);
        expect(left).toBe(back.reduce((sum, { data }) => sum - data.quantity, units.get(petId) as bigint));
      }
    }
    expect(seen.length).toBe(30);
    expect(await summaryOf(other)).toEqual(await naiveSummary(client));
  });

  it.runIf(anyEngine.includes(engine))('catches up with thousands of changes it missed', async () => {
    const { client, store } = await large(2_500);
    await using replica = await startService(engine, { deployment: 'staging', database: service().database });
    const other = clientOf(replica, store);
    await summaryOf(other);
    const pending = (await allOrders(client)).filter(({ status }) => status === 'pending');
    await Promise.all(
      pending.slice(0, 520).map(async ({ id }) => {
        await client(`POST /v2/store/orders/${id}/ship`);
        await client(`POST /v2/store/orders/${id}/deliver`);
      }),
    );
    expect(await summaryOf(other)).toEqual(await naiveSummary(client));
  });

  it('covers the last 520 weeks of a store whose orders ship from the year 0 to the year 9999', async () => {
    const { client } = await openClient(service());
    const inWeek = (i: number) => new Date(Date.UTC(2030, 0, 7 + 7 * i)).toISOString();
    const fill = (count: number) => {
      const pets = [{ id: 1, name: 'Luna', category: 'cat', stock: 10_000 }];
      const orders = Array.from({ length: count }, (_, i) => ({
        petId: 1,
        quantity: 1,
        shipDate: inWeek(i),
      }));
      return client('POST /v2/sandbox/reset', { body: { data: { pets, orders } } });
    };
    const place = (shipDate: string) =>
      client('POST /v2/store/orders', { body: { petId: 1, quantity: 1, shipDate } });
    const furthest = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-11-15T23:59:59Z'];
    await fill(0);
    await Promise.all(furthest.map(place));
    expect((await summaryOf(client)).weeks.map(({ week }) => week)).toEqual([
      '0000-01-01',
      '2026-11-09',
      '9999-12-27',
    ]);
    expect((await fill(1_000)).status).toBe(200);
    await Promise.all([...furthest, ...Array.from({ length: 100 }, (_, i) => inWeek(1_000 + i))].map(place));
    const { orders, weeks } = await summaryOf(client);
    expect(orders.pending).toBe(1_103n);
    expect(weeks).toHaveLength(520);
    expect({ weeks }).toEqual({ weeks: (await naiveSummary(client)).weeks.slice(-520) });
  });
});

async function shipAndPlace(client: Parameters<typeof summaryOf>[0]): Promise<void> {
  const { data } = (await client('GET /v2/pets')).json<{ data: { id: bigint; stock: bigint }[] }>();
  const petId = data.find(({ stock }) => stock > 1n)?.id;
  for (const quantity of [1, 1])
    expect((await client('POST /v2/store/orders', { body: { petId, quantity } })).status).toBe(201);
  expect((await client('POST /v2/store/orders/1001/ship')).status).toBe(200);
  await client('POST /v2/pets', { body: { name: 'Luna', category: 'cat', stock: 9 } });
}
