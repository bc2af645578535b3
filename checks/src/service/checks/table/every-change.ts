import { randomUUID } from 'node:crypto';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectNoBody, expectStatus } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { type Fields, type Order, objectOf, orderIn, pageOf } from '../../v2.ts';
import {
  checkSceneInV2,
  createScene,
  expectNow,
  expectScene,
  petOf,
  recordPlacement,
  recordTransition,
  type Scene,
  snapshot,
} from './scene.ts';

/** Headers that no operation supports. */
const unusual = {
  'If-Match': '"a"',
  'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT',
  Range: 'bytes=0-9',
  'X-HTTP-Method-Override': 'DELETE',
  'X-Original-URL': '/v2/pets',
  Accept: 'text/html',
};
const json = { ...unusual, 'Content-Type': 'application/json' };
/** A body for operations that take none, and ignore it. */
const ignoredBody = '{"shipDate":"2001-01-01T00:00:00.000Z","status":"delivered","quantity":9,"id":1}';

/** What a change did, as its response says. */
interface Outcome {
  readonly response: Response;
  readonly type: string;
  readonly petId: bigint;
  readonly orderId?: bigint;
}

/** Each kind of change, and what every read of both versions must show afterwards. */
export function everyChangeChecks(suite: Suite, context: Context): void {
  const { check } = suite.section('all.changes', 'Every change, and what every read returns afterwards');
  const { client, v2 } = context;
  const scene = once(async () => {
    await v2.require();
    const opened = createScene();
    await createPet(opened, { stock: 50 });
    return opened;
  });

  const createPet = async ({ pets, category }: Scene, given: Record<string, unknown>): Promise<Outcome> => {
    const body = { name: 'Zo\u00eb \u{1f43e}', category, ...given };
    const response = await v2.send('POST', '/pets', JSON.stringify(body), json);
    const pet = objectOf(response, 201);
    const id = pet.id as bigint;
    v2.onCleanUp(() => v2.send('PATCH', `/pets/${id}`, '{"stock":0}'));
    const stock = BigInt((given.stock as number | undefined) ?? 0);
    equal(pet, petOf({ ...body, id, stock }), 'the pet', response.request);
    pets.set(id, pet);
    return { response, type: 'pet.created', petId: id };
  };
  const changePet = async ({ pets }: Scene, given: Record<string, unknown>): Promise<Outcome> => {
    const [petId = 0n] = pets.keys();
    const response = await v2.send('PATCH', `/pets/${petId}`, JSON.stringify(given), json);
    const stock = given.stock === undefined ? pets.get(petId)?.stock : BigInt(given.stock as number);
    const pet = petOf({ ...pets.get(petId), ...given, stock });
    equal(objectOf(response), pet, 'the pet', response.request);
    pets.set(petId, pet);
    return { response, type: 'pet.changed', petId };
  };
  const place = async (target: Scene, given: Fields, headers = {}): Promise<Outcome> => {
    const petId = (given.petId as bigint | undefined) ?? [...target.pets.keys()][0] ?? 0n;
    const { shipDate, quantity } = given;
    const date = shipDate === undefined ? '' : `,"shipDate":"${shipDate}"`;
    const response = await v2.tryToPlace(`{"petId":${petId},"quantity":${quantity}${date}}`, {
      ...unusual,
      ...headers,
    });
    const order = recordPlacement(target, response, { ...given, petId });
    return { response, type: 'order.placed', petId, orderId: order.id };
  };
  /** The first order of the scene in a state, placed and moved there if there is none. */
  const findOrPlace = async (target: Scene, state: string): Promise<Order> => {
    const found = [...target.orders.values()].find(({ status }) => status === state);
    if (found) return found;
    if (state === 'pending') await place(target, { quantity: 2n, shipDate: '2031-02-03T04:05:06.789Z' });
    else await move(target, state);
    return findOrPlace(target, state);
  };
  const move = async (target: Scene, to: string, orderId?: bigint): Promise<Outcome> => {
    const first = async () => (await findOrPlace(target, to === 'delivered' ? 'shipped' : 'pending')).id;
    const id = orderId ?? (await first());
    const { petId } = target.orders.get(id) as Order;
    const path = `/store/orders/${id}`;
    const verb = { shipped: 'ship', delivered: 'deliver' }[to];
    const response = verb
      ? await v2.send('POST', `${path}/${verb}`, ignoredBody, json)
      : to === 'cancelled'
        ? await v2.send('DELETE', path, ignoredBody, json)
        : await client.send({ method: 'DELETE', path, body: ignoredBody, headers: json });
    expectStatus(response, verb ? 200 : 204);
    if (!verb) expectNoBody(response);
    const state = verb ? to : 'cancelled';
    const order = recordTransition(
      target,
      id,
      state,
      verb ? orderIn(response) : await v2.order(id),
      response,
    );
    if (verb) equal(orderIn(response), order, 'the order', response.request);
    return { response, type: `order.${state}`, petId: petId as bigint, orderId: id };
  };

  /** Makes one change. Expects one event, and every read to show exactly that change. */
  const checkChange = (
    name: string,
    sentence: string,
    act: (target: Scene) => Promise<Outcome>,
    prepare: (target: Scene) => Promise<unknown> = async () => {},
  ) =>
    check(name, `${sentence}: every read of both versions shows it, and nothing else changes`, async () => {
      const target = await scene();
      await prepare(target);
      const ordersBefore = [...target.orders.values()];
      const before = await snapshot(context, target);
      const { response, type, petId, orderId } = await act(target);
      const after = await snapshot(context, target, before.tags);
      ensure(after.revision > before.revision, `a revision beyond ${before.revision}`, after.revision);
      for (const [path, tag] of before.tags)
        ensure(after.tags.get(path) !== tag, 'a different ETag', tag, `GET ${path}`);
      expectScene(after, before, ordersBefore, target);
      await checkSceneInV2(context, target, petId, orderId);
      const page = await v2.get(`/store/events?after=${before.revision}`);
      const { data: events, nextCursor } = pageOf(page);
      const order = orderId === undefined ? undefined : target.orders.get(orderId);
      const data = order ?? target.pets.get(petId);
      const at = order?.updatedAt ?? events[0]?.at;
      const event = { id: String(after.revision), type, at, data };
      equal([events, nextCursor], [[event], null], 'the events', page.request);
      expectNow(at, response);
    });

  const lastPet = ({ pets }: Scene) => [...pets.keys()].at(-1) ?? 0n;
  const sellOut = async (target: Scene) => {
    const { petId } = await createPet(target, { stock: 2 });
    return place(target, { petId, quantity: 2n });
  };

  checkChange('create-pet', '`POST /pets`', (target) => createPet(target, { stock: 3 }));
  checkChange('create-pet.without-stock', '`POST /pets` without `stock`', (target) => createPet(target, {}));
  checkChange('change-pet.name', '`PATCH` of a name', (target) => changePet(target, { name: 'Ren\u00e9' }));
  checkChange('change-pet.category', '`PATCH` of a category', (target) =>
    changePet(target, { category: `${target.category}!` }),
  );
  checkChange('change-pet.every-field', '`PATCH` of every field', (target) =>
    changePet(target, { name: 'Zo\u00eb', category: target.category, stock: 60 }),
  );
  checkChange(
    'change-pet.stock',
    '`PATCH` of the stock of a pet with open orders',
    (target) => changePet(target, { stock: 40 }),
    (target) => findOrPlace(target, 'pending'),
  );
  checkChange('place', '`POST /store/orders`', (target) => place(target, { quantity: 3n }));
  checkChange('place.with-a-date', '`POST /store/orders` with a past date', (target) =>
    place(
      target,
      { quantity: 1n, shipDate: '2001-02-03T04:05:06.789Z' },
      { 'Idempotency-Key': randomUUID() },
    ),
  );
  checkChange(
    'place.the-last-unit',
    '`POST /store/orders` of all units',
    (target) => place(target, { petId: lastPet(target), quantity: 2n }),
    (target) => createPet(target, { stock: 2 }),
  );
  checkChange(
    'cancel.the-last-unit',
    '`DELETE` of the order that sold a pet out',
    (target) => move(target, 'cancelled', [...target.orders.keys()].at(-1)),
    sellOut,
  );
  const lastOrder = ({ orders }: Scene) => [...orders.keys()].at(-1);
  // Either side of the end of a week.
  for (const shipDate of ['2031-02-02T23:59:59.999Z', '2031-02-03T00:00:00.000Z'])
    checkChange(`place.${shipDate.slice(8, 10)}`, `\`POST /store/orders\` for ${shipDate}`, (target) =>
      place(target, { quantity: 1n, shipDate }),
    );
  for (const to of ['shipped', 'cancelled'])
    checkChange(
      `${to}.past-date`,
      `an order whose date is past is ${to}`,
      (target) => move(target, to, lastOrder(target)),
      (target) => place(target, { quantity: 1n, shipDate: '2001-02-03T04:05:06.789Z' }),
    );
  for (const to of ['shipped', 'delivered', 'cancelled', 'cancelled-in-v1'])
    checkChange(
      to,
      `an order is ${to.replaceAll('-', ' ')}`,
      (target) => move(target, to),
      (target) => findOrPlace(target, to === 'delivered' ? 'shipped' : 'pending'),
    );
}
