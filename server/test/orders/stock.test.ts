import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { allPets, clientOf, type Order, openClient, type Pet, unitsOf } from '../support/v2.ts';

describe.each(engines)('stock on $name', (engine) => {
  const service = useService(engine);

  it('many buyers of the last unit, on two replicas: one gets it', async () => {
    const { client, store } = await openClient(service());
    await using replica = await startService(engine, { database: service().database });
    const clients = [client, clientOf(replica, store)];
    for (let round = 0; round < 8; round++) {
      await client('PATCH /v2/pets/12', { body: { stock: 1 } });
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (clients[i % 2] as typeof client)('POST /v2/store/orders', { body: { petId: 12, quantity: 1 } }),
        ),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const response of responses.filter(({ status }) => status !== 201)) {
        expect(response.error().code).toBe('insufficient_stock');
      }
      expect((await client('GET /v2/pets/12')).json()).toMatchObject({ stock: 0n, status: 'sold' });
    }
  });

  it('and names under concurrent changes end as last written', async () => {
    const { client } = await openClient(service());
    const changes = [
      () => client('PATCH /v2/pets/1', { body: { name: 'Ada', stock: 50 } }),
      () => client('PATCH /v2/pets/1', { body: { category: 'newt' } }),
      () => client('PATCH /v2/pets/1', { body: { stock: 60 } }),
      () => client('PATCH /v2/pets/1', { body: { name: 'Bo' } }),
      () => client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 } }),
      () => client('DELETE /v2/store/orders/12'),
    ];
    const responses = await Promise.all([...changes, ...changes].map((change) => change()));
    expect(responses.filter(({ status }) => status >= 300)).toHaveLength(1);
    expect((await client('GET /v2/pets/1')).json()).toMatchObject({ category: 'newt' });
    expect((await client('GET /v2/pets')).status).toBe(200);
  });

  it('concurrent cancels of one order return its units once', async () => {
    const { client } = await openClient(service());
    const { headers } = await client('POST /v2/store/orders', { body: { petId: 1, quantity: 10 } });
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        client(`DELETE ${headers.location?.replace('v2', i % 2 ? 'v1' : 'v2')}`),
      ),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await client('GET /v2/pets/1')).json<Pet>().stock).toBe(24n);
  });

  it('plus units in open orders stays constant under concurrent requests', async () => {
    const operation = fc.oneof(
      fc.record({ petId: fc.integer({ min: 1, max: 13 }), quantity: fc.integer({ min: 1, max: 30 }) }),
      fc.record({
        id: fc.integer({ min: 1, max: 60 }),
        verb: fc.constantFrom('cancel', 'cancel in v1', 'ship', 'deliver'),
      }),
    );
    await using replica = await startService(engine, { database: service().database });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 30, maxLength: 120 }), async (operations) => {
        const { client, store } = await openClient(service());
        const clients = [client, clientOf(replica, store)];
        const before = await unitsOf(client);
        const responses = await Promise.all(
          operations.map((one, i) => {
            const through = clients[i % 2] as typeof client;
            if ('petId' in one) return through('POST /v2/store/orders', { body: one });
            const order = `/store/orders/${one.id}`;
            if (one.verb === 'cancel') return through(`DELETE /v2${order}`);
            if (one.verb === 'cancel in v1') return through(`DELETE /v1${order}`);
            return through(`POST /v2${order}/${one.verb}`);
          }),
        );
        for (const { status } of responses) expect([200, 201, 204, 404, 409, 422]).toContain(status);
        expect(await unitsOf(client)).toEqual(before);
        for (const { stock } of await allPets(client)) expect(stock).toBeGreaterThanOrEqual(0n);
        const placed = responses
          .filter(({ status }) => status === 201)
          .map((response) => response.json<Order>().id);
        expect([...placed].sort((a, b) => Number(a - b))).toEqual(placed.map((_, i) => BigInt(41 + i)));
      }),
      tries(6),
    );
  });
});
