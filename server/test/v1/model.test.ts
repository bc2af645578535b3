import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/domain/key-format.ts';
import { revokeKey } from '../../src/keys/manage-keys.ts';
import { deliverOrder, shipOrder } from '../../src/orders/change-status.ts';
import { anyCharacter } from '../support/any-character.ts';
import { tries } from '../support/effort.ts';
import { malformedIds } from '../support/hostile.ts';
import { listOrders, type Order } from '../support/orders.ts';
import { enginesAndLists, type TestService, type TestStore, useService } from '../support/service.ts';

type Status = 'pending' | 'shipped' | 'delivered' | 'cancelled';
type ModelOrder = Order & { status: Status };

/** The specification, as plainly as it can be written down. */
class Model {
  readonly orders = new Map<bigint, ModelOrder>();
  readonly pets: ReadonlyMap<bigint, object>;

  constructor(
    orders: readonly Order[],
    statuses: ReadonlyMap<bigint, Status>,
    pets: readonly { id: bigint }[],
  ) {
    for (const order of orders) {
      this.orders.set(order.id, { ...order, status: statuses.get(order.id) as Status });
    }
    this.pets = new Map(pets.map((pet) => [pet.id, pet]));
  }

  list(): Order[] {
    return [...this.orders.values()]
      .filter(({ status }) => status !== 'cancelled')
      .map(({ status: _, ...order }) => order);
  }

  cancel(id: bigint | undefined): number {
    const order = id === undefined ? undefined : this.orders.get(id);
    if (!order || order.status === 'cancelled') return 404;
    if (order.status !== 'pending') return 409;
    order.status = 'cancelled';
    return 204;
  }

  ship(id: bigint, at: number): boolean {
    const order = this.orders.get(id);
    if (order?.status !== 'pending') return false;
    Object.assign(order, { status: 'shipped', shipDate: new Date(at).toISOString() });
    return true;
  }

  deliver(id: bigint): boolean {
    const order = this.orders.get(id);
    if (order?.status !== 'shipped') return false;
    Object.assign(order, { status: 'delivered', complete: true });
    return true;
  }
}

const id = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 42n }).map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom(...malformedIds) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }).map(encodeLoosely) },
);
const key = fc.constantFrom(
  'own',
  'own',
  'own',
  'own',
  'other',
  'revoked',
  'unknown',
  'staging',
  'none',
  'hostile',
);
const suffix = fc.constantFrom('', '', '', '?limit=1', '?%zz', '?status=shipped&id=2', '?');
const step = fc.oneof(
  fc.record({ do: fc.constant('list' as const), key, suffix }),
  fc.record({ do: fc.constant('cancel' as const), key, id, suffix }),
  fc.record({ do: fc.constant('pets' as const), key, suffix }),
  fc.record({ do: fc.constant('pet' as const), key, id, suffix }),
  fc.record({ do: fc.constant('ship' as const), id: fc.bigInt({ min: 0n, max: 42n }) }),
  fc.record({ do: fc.constant('deliver' as const), id: fc.bigInt({ min: 0n, max: 42n }) }),
  fc.record({
    do: fc.constant('stray' as const),
    key,
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
    path: fc.array(id, { maxLength: 3 }).map((segments) => `/v1/${segments.join('/')}`),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Text as a careless client puts it into a path: only what would break the request line is escaped. */
function encodeLoosely(text: string): string {
  return Array.from(text, (letter) =>
    /[\w!$&'()*+,;=:@.~%-]/.test(letter) ? letter : encodeURIComponent(letter.toWellFormed()),
  ).join('');
}

function plainInt64(text: string): bigint | undefined {
  const decoded = /^[0-9-]+$/.test(text) ? text : undefined;
  if (decoded === undefined || !/^-?\d+$/.test(decoded)) return undefined;
  const value = BigInt(decoded);
  return String(value) === decoded && BigInt.asIntN(64, value) === value ? value : undefined;
}

describe.each(enginesAndLists)(
  'random sequences of all operations on $engine.name, lists $lists.how',
  ({ engine, lists }) => {
    const service = useService(engine, { lists });

    it('match a simple model, and never 5xx', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
          const world = await World.create(service());
          for (const step of steps) await world.take(step);
          await world.compareEverything();
        }),
        tries(3),
      );
    });
  },
);

/** A service next to its model, each with two stores, and valid and rejected keys. */
class World {
  readonly service: TestService;
  readonly stores: Record<'own' | 'other', { store: TestStore; model: Model }>;
  readonly rejectedKeys: Record<string, string | undefined>;

  private constructor(service: TestService, stores: World['stores'], revoked: string) {
    this.service = service;
    this.stores = stores;
    this.rejectedKeys = {
      revoked,
      unknown: generateKey('production'),
      staging: generateKey('staging'),
      none: undefined,
      hostile: "'; DROP TABLE orders; --",
    };
  }

  static async create(service: TestService): Promise<World> {
    const revoked = await service.openStore();
    await service.deployment.writer.apply(revokeKey, { keyId: revoked.keyId, at: 0n });
    const own = await service.openStore();
    const other = await service.openStore();
    return new World(
      service,
      {
        own: { store: own, model: await modelOf(service, own) },
        other: { store: other, model: await modelOf(service, other) },
      },
      revoked.key,
    );
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'ship' || step.do === 'deliver') return this.#move(step.do, step.id);
    const target = targetOf(step);
    const response = await this.service.request(target, { key: this.#keyFor(step.key) });
    expect([target, response.status]).not.toEqual([
      target,
      expect.toSatisfy((status: number) => status >= 500),
    ]);
    const { model } = this.stores[step.key as 'own'] ?? {};
    if (!model) return expect([target, response.status]).toEqual([target, 401]);
    if (step.do === 'list') expect(response.json()).toEqual(model.list());
    if (step.do === 'pets') expect(response.json<unknown[]>()).toHaveLength(model.pets.size);
    if (step.do === 'cancel') {
      const spelled = plainInt64(decoded(step.id));
      expect([target, response.status]).toEqual([target, model.cancel(spelled)]);
    }
    if (step.do === 'pet') {
      const pet = model.pets.get(plainInt64(decoded(step.id)) ?? 0n);
      expect([target, response.status]).toEqual([target, pet ? 200 : 404]);
      if (pet) expect(response.json()).toMatchObject({ id: plainInt64(decoded(step.id)) });
    }
    if (step.do === 'stray') expect([404, 405]).toContain(response.status);
  }

  async compareEverything(): Promise<void> {
    for (const { store, model } of Object.values(this.stores)) {
      expect(await listOrders(this.service, store)).toEqual(model.list());
    }
  }

  async #move(verb: 'ship' | 'deliver', orderId: bigint): Promise<void> {
    const { store, model } = this.stores.own;
    const at = Date.now();
    const change = { storeId: store.storeId, orderId, at: BigInt(at) };
    const done = await this.service.deployment.writer
      .apply(verb === 'ship' ? shipOrder : deliverOrder, change)
      .then(
        () => true,
        () => false,
      );
    expect(done).toBe(verb === 'ship' ? model.ship(orderId, at) : model.deliver(orderId));
  }

  #keyFor(name: string): string | undefined {
    return name in this.rejectedKeys ? this.rejectedKeys[name] : this.stores[name as 'own'].store.key;
  }
}

function targetOf(step: Exclude<Step, { do: 'ship' | 'deliver' }>): string {
  if (step.do === 'stray') return `${step.method} ${step.path}`;
  if (step.do === 'list') return `GET /v1/store/orders${step.suffix}`;
  if (step.do === 'pets') return `GET /v1/pets${step.suffix}`;
  const path = step.do === 'cancel' ? 'DELETE /v1/store/orders' : 'GET /v1/pets';
  return `${path}/${step.id}${step.suffix}`;
}

/** A path with a broken escape matches nothing, even if the rest of it is valid. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function modelOf(service: TestService, store: TestStore): Promise<Model> {
  const rows = await service.database.rows(`SELECT id, status FROM orders WHERE store_id = ${store.storeId}`);
  const statuses = new Map(rows.map(({ id, status }) => [id as bigint, status as Status]));
  const pets = (await service.request('GET /v1/pets', { key: store.key })).json<Array<{ id: bigint }>>();
  return new Model(await listOrders(service, store), statuses, pets);
}
