import { describe, expect, it } from 'vitest';
import { everyCase } from '../../server/test/support/effort.ts';
import { anyEngine } from '../../server/test/support/engines.ts';
import { isSigned, startReceiver } from '../../server/test/support/receiver.ts';
import { useService } from '../../server/test/support/service.ts';
import {
  AuthenticationError,
  type Client,
  ConflictError,
  createClient,
  type FaultInput,
  NotFoundError,
  PetStoreError,
} from '../src/index.ts';

const allFaults: readonly Omit<FaultInput, 'operation'>[] = [
  { fault: 'status', parameters: { code: 500 } },
  { fault: 'delay', parameters: { ms: 1 } },
  { fault: 'slow', parameters: { ms: 5 } },
  { fault: 'drop' },
  { fault: 'reset' },
  { fault: 'truncate' },
  { fault: 'garbage' },
  { fault: 'lost-answer' },
  { fault: 'stale-connection' },
];

/** The fast tier takes one of each kind: rejected, late, cut off, done without a response. */
const faults = allFaults.filter(
  ({ fault }) => everyCase || ['status', 'slow', 'truncate', 'lost-answer'].includes(fault),
);

/** With these, the client gets the correct response in the end. */
const harmless = ['delay', 'slow', 'stale-connection'];

/** Makes the next calls of one operation fail, and verifies that they did. */
type Rehearse = <T>(operation: string, call: () => Promise<T>) => Promise<T>;

describe.each(anyEngine)('with every failure that the sandbox rehearses, on $name', (engine) => {
  const service = useService(engine, { deployment: 'staging', webhooks: { allowPrivate: true } });

  const open = async (fault: Omit<FaultInput, 'operation'>, times = 1) => {
    const { key } = await service().openStore();
    const client = createClient({ baseUrl: service().origin, key, retryDelay: 1 });
    const rehearse: Rehearse = async (operation, call) => {
      await client.sandbox.setFaults([{ operation, times, ...fault }]);
      try {
        return await call();
      } finally {
        const [armed] = await client.sandbox.faults();
        expect(armed?.fired, operation).toBeGreaterThan(0);
        await client.sandbox.clearFaults();
      }
    };
    return { client, rehearse };
  };

  it('a store ends even if the response is lost', async () => {
    const { client: opener } = await open({ fault: 'drop' });
    const { key } = await opener.sandbox.openStore();
    let tries = 0;
    const losingTheFirst: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      if (++tries === 1) throw new TypeError('the response was lost');
      return response;
    };
    const client = createClient({ baseUrl: service().origin, key, retryDelay: 1, fetch: losingTheFirst });
    await client.sandbox.endStore();
    expect(tries).toBe(2);
    await expect(client.sandbox.endStore()).rejects.toThrow(AuthenticationError);
  });

  it.each(faults)('$fault: reads are correct', async (fault) => {
    const { client, rehearse } = await open(fault, 2);
    expect((await rehearse('v2.listOrders', () => client.orders.list({ limit: 7 }))).data).toHaveLength(7);
    expect(await rehearse('v2.getOrder', () => client.orders.get(2))).toMatchObject({ id: 2n });
    expect((await rehearse('v2.getOrderHistory', () => client.orders.history(2))).length).toBeGreaterThan(0);
    expect((await rehearse('v2.listPets', () => client.pets.list())).data).toHaveLength(12);
    expect(await rehearse('v2.getPet', () => client.pets.get(3))).toMatchObject({ id: 3n });
    expect(await rehearse('v2.getSummary', () => client.summary())).toMatchObject({ orders: {} });
    expect(await rehearse('v1.listOrders', () => client.v1.listOrders())).toHaveLength(40);
    expect(await rehearse('v1.listPets', () => client.v1.listPets())).toHaveLength(12);
    expect(await rehearse('v1.getPet', () => client.v1.getPet(3))).toMatchObject({ id: 3n });
    expect(await rehearse('v2.listWebhooks', () => client.webhooks.list())).toEqual([]);
  });

  it.each(faults)('$fault: no placement is duplicated or lost', async (fault) => {
    for (const times of [1, 3]) {
      const { client, rehearse } = await open(fault, times);
      const before = await client.pets.get(1);
      const placed = await rehearse('v2.placeOrder', () => client.orders.place({ petId: 1, quantity: 2 }));
      expect(placed).toMatchObject({ id: 41n, petId: 1n, quantity: 2, status: 'pending' });
      expect(await client.v1.listOrders()).toHaveLength(41);
      expect((await client.pets.get(1)).stock).toBe(before.stock - 2);
    }
  });

  it.each(faults)('$fault: no order change is misreported', async (fault) => {
    for (const times of [1, 3]) {
      const { client, rehearse } = await open(fault, times);
      const place = async () => (await client.orders.place({ petId: 1, quantity: 1 })).id;
      const [first, second, third] = [await place(), await place(), await place()];
      await rehearse('v2.cancelOrder', () => client.orders.cancel(first));
      await rehearse('v1.cancelOrder', () => client.v1.cancelOrder(second));
      expect(await rehearse('v2.shipOrder', () => client.orders.ship(third))).toMatchObject({ id: third });
      expect(await rehearse('v2.deliverOrder', () => client.orders.deliver(third))).toMatchObject({
        id: third,
      });
      const states = [first, second, third].map(async (id) => (await client.orders.get(id)).status);
      expect(await Promise.all(states)).toEqual(['cancelled', 'cancelled', 'delivered']);

      const shipped = (await client.orders.list({ status: 'shipped', limit: 1 })).data[0]?.id ?? 0n;
      const late = [
        ['v2.cancelOrder', () => client.orders.cancel(shipped)],
        ['v1.cancelOrder', () => client.v1.cancelOrder(shipped)],
        ['v2.shipOrder', () => client.orders.ship(shipped)],
      ] as const;
      for (const [operation, call] of late)
        await expect(rehearse<unknown>(operation, call)).rejects.toThrow(ConflictError);
      const nowhere = [
        ['v2.cancelOrder', () => client.orders.cancel(987)],
        ['v1.cancelOrder', () => client.v1.cancelOrder(987)],
      ] as const;
      for (const [operation, call] of nowhere)
        await expect(rehearse(operation, call)).rejects.toThrow(NotFoundError);
    }
  });

  it.each(faults)(
    '$fault: a created resource exists once, or the error says that it may exist',
    async (fault) => {
      const { client, rehearse } = await open(fault);
      await using receiver = await startReceiver();
      const once = async <T>(operation: string, call: () => Promise<T>, count: () => Promise<number>) => {
        const before = await count();
        const created = await rehearse(operation, call).catch((error: unknown) => {
          expect(error).toBeInstanceOf(PetStoreError);
          expect((error as PetStoreError).mayBeDone).toBe(true);
        });
        const added = (await count()) - before;
        expect(added).toBeLessThanOrEqual(1);
        if (harmless.includes(fault.fault)) expect(created).toBeDefined();
        if (created) expect(added).toBe(1);
        return created;
      };
      const pet = { name: 'Rex', category: 'only', stock: 1 };
      const pets = async () => (await client.pets.list({ category: 'only' })).data.length;
      await once('v2.createPet', () => client.pets.create(pet), pets);
      const hooks = async () => (await client.webhooks.list()).length;
      await once('v2.createWebhook', () => client.webhooks.create({ url: receiver.url }), hooks);

      const { id, secret } = await client.webhooks.create({ url: `${receiver.url}/rolled` });
      const sent = async () => (await client.webhooks.deliveries(id)).data.length;
      await once('v2.testWebhook', () => client.webhooks.test(id), sent);
      const tested = async () => {
        const delivery = await client.webhooks.test(id);
        return receiver.waitForMessage(
          ({ path, headers }) =>
            path === '/hook/rolled' && String(headers['webhook-id']).endsWith(`_${delivery.id}`),
        );
      };
      // The previous secret signs as well. After two rotations, the first one would not.
      const rolls = async () => {
        const message = await tested();
        const signatures = String(message.headers['webhook-signature']).split(' ');
        return isSigned(secret, message) ? signatures.length - 1 : 2;
      };
      const rolled = await once('v2.rollWebhookSecret', () => client.webhooks.rollSecret(id), rolls);
      if (rolled) expect(isSigned(rolled.secret, await tested())).toBe(true);
      await checkSettings(client, rehearse, id);
    },
  );
});

/** Idempotent changes are repeated until they succeed. */
async function checkSettings(client: Client, rehearse: Rehearse, id: string): Promise<void> {
  expect(await rehearse('v2.changePet', () => client.pets.change(1, { name: 'Rexina' }))).toMatchObject({
    name: 'Rexina',
  });
  expect(await rehearse('v2.getWebhook', () => client.webhooks.get(id))).toMatchObject({ id, active: true });
  await client.webhooks.test(id);
  const { data } = await rehearse('v2.listDeliveries', () => client.webhooks.deliveries(id, { limit: 1 }));
  expect(data).toHaveLength(1);
  const delivery = data[0]?.id ?? 0n;
  expect(await rehearse('v2.redeliver', () => client.webhooks.redeliver(id, delivery))).toMatchObject({
    id: delivery,
  });
  expect(
    await rehearse('v2.changeWebhook', () => client.webhooks.change(id, { active: false })),
  ).toMatchObject({ active: false });
  await rehearse('v2.deleteWebhook', () => client.webhooks.delete(id));
  await expect(client.webhooks.get(id)).rejects.toThrow(NotFoundError);
}
