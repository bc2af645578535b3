import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/engine.ts';
import { findFaults } from '../../src/sandbox/armed-faults.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { orderIds } from '../support/orders.ts';
import { startService, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { armFaults, requestText, sendBytes, staging } from './support.ts';

interface Armed {
  operation: string;
  fault: string;
  parameters: Record<string, bigint>;
  times: bigint | null;
  probability: number | bigint;
  seed: bigint;
  fired: bigint;
}

describe.each(engines)('armed faults on $name', (engine) => {
  const service = useService(engine, staging);

  it('are listed with defaults and how often each has fired', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    expect((await client('GET /v2/sandbox/faults')).json()).toEqual([]);
    const response = await armFaults(service(), store, [
      { operation: 'v1.listPets', fault: 'status', parameters: { code: 503 } },
      { operation: '*', fault: 'slow', parameters: { ms: 10 }, times: null, probability: 0.25, seed: 7 },
    ]);
    const faults = [
      {
        operation: 'v1.listPets',
        fault: 'status',
        parameters: { code: 503n },
        times: 1n,
        probability: 1n,
        seed: 1n,
        fired: 0n,
      },
      {
        operation: '*',
        fault: 'slow',
        parameters: { ms: 10n },
        times: null,
        probability: 0.25,
        seed: 7n,
        fired: 0n,
      },
    ];
    expect([response.status, response.json<Armed[]>()]).toEqual([200, faults]);
    expect((await client('GET /v1/pets')).status).toBe(503);
    const [first] = (await client('GET /v2/sandbox/faults')).json<Armed[]>();
    expect(first).toEqual({ ...faults[0], fired: 1n });
    expect((await client('DELETE /v2/sandbox/faults')).status).toBe(204);
    expect((await client('GET /v2/sandbox/faults')).json()).toEqual([]);
  });

  it('fire for their operation only, as often as allowed; the first match wins', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    await armFaults(service(), store, [
      { operation: 'v1.listPets', fault: 'status', parameters: { code: 503 }, times: 2 },
      { operation: 'v1.listPets', fault: 'status', parameters: { code: 429 }, times: 1 },
      { operation: 'v2.listPets', fault: 'status', parameters: { code: 500 }, times: null },
    ]);
    const statuses = async (request: string, count: number) => {
      const seen: number[] = [];
      for (let i = 0; i < count; i++) seen.push((await client(request)).status);
      return seen;
    };
    expect(await statuses('GET /v1/store/orders', 2)).toEqual([200, 200]);
    expect(await statuses('GET /v1/pets', 5)).toEqual([503, 503, 429, 200, 200]);
    expect(await statuses('GET /v2/pets', 4)).toEqual([500, 500, 500, 500]);
    expect(await statuses('HEAD /v2/pets', 1)).toEqual([500]);
  });

  it('that replace others concurrently do not inherit their draw', async () => {
    const [found, armed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isHeld = false;
    const wrap = (db: Database): Database => ({
      ...db,
      async all(query, params) {
        const rows = await db.all(query, params);
        if (query !== (findFaults as unknown) || !isHeld) return rows;
        isHeld = false;
        found.resolve();
        await armed.promise;
        return rows;
      },
    });
    await using own = await startService(engine, { ...staging, wrap });
    const store = await own.openStore();
    const client = clientOf(own, store);
    await armFaults(own, store, [{ operation: 'v1.listPets', fault: 'drop' }]);
    isHeld = true;
    const pending = client('GET /v1/pets');
    await found.promise;
    await armFaults(own, store, [
      { operation: 'v1.cancelOrder', fault: 'status', parameters: { code: 503 } },
    ]);
    armed.resolve();
    expect((await pending).status).toBe(200);
    expect((await client('DELETE /v1/store/orders/2')).status).toBe(503);
  });

  it('with the same seed fail the same requests, with another seed others', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const pattern = async (seed: number) => {
      await armFaults(service(), store, [
        {
          operation: 'v1.listPets',
          fault: 'status',
          parameters: { code: 503 },
          times: null,
          probability: 0.5,
          seed,
        },
      ]);
      const seen: number[] = [];
      for (let i = 0; i < 24; i++) seen.push((await client('GET /v1/pets')).status);
      return seen.join();
    };
    const first = await pattern(1);
    expect(await pattern(1)).toBe(first);
    expect(await pattern(2)).not.toBe(first);
    expect(first).toContain('503');
    expect(first).toContain('200');
  });

  it('are counted exactly by two concurrent replicas', async () => {
    await using replica = await startService(engine, { ...staging, database: service().database });
    const store = await service().openStore();
    const probability = 0.5;
    await armFaults(service(), store, [
      { operation: 'v1.listPets', fault: 'status', parameters: { code: 503 }, times: 7 },
      {
        operation: 'v1.listPets',
        fault: 'status',
        parameters: { code: 429 },
        times: null,
        probability,
        seed: 5,
      },
    ]);
    const clients = [clientOf(service(), store), clientOf(replica, store)];
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (clients[i % 2] as (typeof clients)[0])('GET /v1/pets')),
    );
    const count = (status: number) => responses.filter((response) => response.status === status).length;
    expect(count(503)).toBe(7);
    const [, second] = (await clientOf(replica, store)('GET /v2/sandbox/faults')).json<Armed[]>();
    expect(second?.fired).toBe(BigInt(count(429)));
    expect(count(200)).toBe(40 - 7 - count(429));
    // The seed determines which of 33 requests fail, on any replica.
    await armFaults(service(), store, [
      {
        operation: 'v1.listPets',
        fault: 'status',
        parameters: { code: 429 },
        times: null,
        probability,
        seed: 5,
      },
    ]);
    const alone: number[] = [];
    for (let i = 0; i < 33; i++) alone.push((await clientOf(replica, store)('GET /v1/pets')).status);
    expect(alone.filter((status) => status === 429).length).toBe(count(429));
  });

  it('survive a restart, and end with a reset', async () => {
    const store = await service().openStore();
    await armFaults(service(), store, [{ operation: '*', fault: 'drop', times: null }]);
    await using restarted = await startService(engine, { ...staging, database: service().database });
    expect((await sendBytes(restarted, requestText('GET /v1/pets', store))).text).toBe('');
    const client = clientOf(restarted, store);
    expect((await client('POST /v2/sandbox/reset', { body: { dataSet: 'empty' } })).status).toBe(200);
    expect((await client('GET /v2/sandbox/faults')).json()).toEqual([]);
    expect((await client('GET /v1/pets')).text).toBe('[]');
  });

  it('expire after 24 hours', async () => {
    let now = Date.parse('2031-03-04T12:00:00Z');
    await using own = await startService(engine, { ...staging, now: () => now });
    const store = await own.openStore();
    const client = clientOf(own, store);
    await armFaults(own, store, [
      { operation: '*', fault: 'status', parameters: { code: 503 }, times: null },
    ]);
    now += 86_399_999;
    expect((await client('GET /v1/pets')).status).toBe(503);
    now += 1;
    expect((await client('GET /v1/pets')).status).toBe(200);
    expect((await client('GET /v2/sandbox/faults')).json()).toEqual([]);
  });

  it('affect no other store', async () => {
    const [store, other] = [await service().openStore(), await service().openStore()];
    await armFaults(service(), store, [{ operation: '*', fault: 'drop', times: null }]);
    expect((await clientOf(service(), other)('GET /v1/pets')).status).toBe(200);
  });

  it('make a client that retries without an idempotency key place a lost order twice', async () => {
    const store = await service().openStore();
    const place = async (headers: Record<string, string>) => {
      for (;;) {
        try {
          return await clientOf(service(), store)('POST /v2/store/orders', {
            headers,
            body: { petId: 1, quantity: 1 },
          });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
        }
      }
    };
    const before = (await orderIds(service(), store)).length;
    await armFaults(service(), store, [{ operation: 'v2.placeOrder', fault: 'lost-answer' }]);
    expect((await place({})).status).toBe(201);
    expect((await orderIds(service(), store)).length).toBe(before + 2);
    await armFaults(service(), store, [{ operation: 'v2.placeOrder', fault: 'lost-answer' }]);
    const response = await place({ 'idempotency-key': 'once' });
    expect([response.status, response.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect((await orderIds(service(), store)).length).toBe(before + 3);
  });

  const drop = '"operation":"*","fault":"drop"';

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it('set Retry-After as armed', async () => {
    const now = () => Date.parse('2031-03-04T23:59:50.500Z');
    await using own = await startService(engine, { ...staging, now });
    const store = await own.openStore();
    const parameters = { code: 429, retryAfter: 9, retryAfterForm: 'date' };
    await armFaults(own, store, [{ operation: 'v1.listPets', fault: 'status', parameters }]);
    const { status, headers } = await clientOf(own, store)('GET /v1/pets');
    expect([status, headers.ratelimit]).toEqual([429, '"default";r=0;t=9']);
    expect(headers['retry-after']).toBe('Wed, 05 Mar 2031 00:00:00 GMT');
  });

  it('for all operations affect only those that document the error', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    await armFaults(service(), store, [
      { operation: '*', fault: 'status', parameters: { code: 409 }, times: null },
    ]);
    expect((await client('GET /v1/pets')).status).toBe(200);
    expect((await client('DELETE /v1/store/orders/2')).status).toBe(409);
    expect((await client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 } })).status).toBe(409);
  });

  it.each([
    ['no array', '{}'],
    ['a rule that is no object', '["drop"]'],
    ['an operation of no version', '[{"operation":"cancelOrder","fault":"drop"}]'],
    ['an operation of the sandbox', '[{"operation":"v2.resetSandbox","fault":"drop"}]'],
    ['an unknown operation', '[{"operation":"v1.placeOrder","fault":"drop"}]'],
    ['an unknown fault', '[{"operation":"*","fault":"explode"}]'],
    ['a name that every object has', '[{"operation":"*","fault":"constructor"}]'],
    ['a delay without its time', '[{"operation":"*","fault":"delay"}]'],
    ['a delay that is too long', '[{"operation":"*","fault":"delay","parameters":{"ms":30001}}]'],
    ['a parameter that is text', '[{"operation":"*","fault":"delay","parameters":{"ms":"5"}}]'],
    ['parameters that are an array', `[{${drop},"parameters":[]}]`],
    ['a parameter of another fault', `[{${drop},"parameters":{"ms":5}}]`],
    [
      'an error that is not documented',
      '[{"operation":"v1.listPets","fault":"status","parameters":{"code":409}}]',
    ],
    ['an error that nothing documents', '[{"operation":"*","fault":"status","parameters":{"code":418}}]'],
    ['a success', '[{"operation":"*","fault":"status","parameters":{"code":200}}]'],
    ['no times', `[{${drop},"times":0}]`],
    ['a probability above 1', `[{${drop},"probability":1.5}]`],
    ['a negative probability', `[{${drop},"probability":-0.1}]`],
    ['a seed that is no integer', `[{${drop},"seed":1.5}]`],
    ['an unknown field', `[{${drop},"often":1}]`],
    ['more than 20', `[${Array.from({ length: 21 }, () => `{${drop}}`).join()}]`],
  ])('reject %s, and stay armed as before', async (_, body) => {
    const store = await service().openStore();
    await armFaults(service(), store, [{ operation: 'v1.getPet', fault: 'reset' }]);
    const response = await armFaults(service(), store, body);
    expect([response.status, response.error().code]).toEqual([400, 'invalid_body']);
    const left = (await clientOf(service(), store)('GET /v2/sandbox/faults')).json<Armed[]>();
    expect(left.map(({ fault }) => fault)).toEqual(['reset']);
  });
});
