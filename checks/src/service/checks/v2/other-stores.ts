import type { Suite } from '../../check.ts';
import { type Context, onStaging } from '../../context.ts';
import { equal, expectError, expectSameBody, expectStatus } from '../../expect.ts';
import type { Call } from '../../http.ts';
import { missingId } from '../../orders.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { objectOf, pageOf } from '../../v2.ts';
import { callOf, operationsOf, type Samples, samplePath } from '../table/operations.ts';
import { stagingSection } from './sandbox.ts';

/** Ids that no store has. */
const missing: Samples = {
  petId: String(missingId),
  orderId: String(missingId),
  webhookId: 'wh_nobody',
  deliveryId: String(missingId),
};
const json = { 'Content-Type': 'application/json' };
const listPetsFault = '[{"operation":"v1.listPets","fault":"status","parameters":{"code":503},"times":null}]';

/** Two stores of the same service, neither of which shows anything of the other. */
export function otherStoreChecks(
  suite: Suite,
  context: Context,
  samplesOf: (context: Context) => () => Promise<Samples>,
): void {
  const { check } = stagingSection(suite, context, 'stores', 'temporary stores', 'post /sandbox/stores');
  const target = onStaging(context);
  const { v2, client } = target;
  const samples = samplesOf(target);

  check(
    'others',
    'pets, orders and webhooks of another store are 404, byte for byte like missing ones; orders for its pets are 422',
    async () => {
      await using other = await openTemporaryStore(v2, '{"dataSet":"empty"}');
      const { key } = other;
      const ids: Samples = { ...(await samples()), deliveryId: '1' };
      for (const operation of await operationsOf(target)) {
        const path = samplePath(operation, ids);
        if (!operation.path.includes('{') || path === undefined) continue;
        const body = operation.path.includes('pets') ? '{"name":"A"}' : '{"active":true}';
        const given = operation.method === 'PATCH' && { body, headers: json };
        const send = (at: string) => client.send({ ...callOf(operation, at), ...given, key });
        const response = await send(path);
        expectError(response, 404, 'not_found');
        expectSameBody(response, await send(samplePath(operation, missing) ?? ''));
      }
      const order = `{"petId":${ids.petId},"quantity":1}`;
      expectError(await client.send(other.call('POST', '/store/orders', order)), 422, 'unknown_pet');
      for (const path of ['/pets', '/store/orders', `/store/orders?petId=${ids.petId}`, '/webhooks'])
        equal(pageOf(await client.send(other.call('GET', path))).data, [], 'the page', `GET ${path}`);
      const pet = await v2.get(`/pets/${ids.petId}`);
      equal([objectOf(pet).stock, objectOf(pet).name], [4n, 'Acceptance'], 'stock and name', pet.request);
    },
  );
  check('faults', 'a fault fires only in the store where it was armed', async () => {
    const listPets = (key?: string): Call => ({ path: '/pets', isUnrecorded: true, ...(key && { key }) });
    const disarm = () => v2.send('DELETE', '/sandbox/faults');
    v2.onCleanUp(disarm);
    expectStatus(await v2.send('PUT', '/sandbox/faults', listPetsFault), 200);
    await using other = await openTemporaryStore(v2, '{"dataSet":"empty"}');
    const { key } = other;
    expectStatus(await client.send(listPets(key)), 200);
    expectStatus(await client.send(listPets()), 503);
    expectStatus(await disarm(), 204);
    expectStatus(await client.send(other.call('PUT', '/sandbox/faults', listPetsFault)), 200);
    expectStatus(await client.send(listPets()), 200);
    expectStatus(await client.send(listPets(key)), 503);
  });
}
