import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { petsIn } from '../context.ts';
import { at } from '../document.ts';
import { ensure, equal, expectError, expectJson, expectStatus } from '../expect.ts';
import { cancel, expectSameOrders, without } from '../orders.ts';

export function serviceChecks(
  suite: Suite,
  { client, orders, staging, cancellation, document }: Context,
): void {
  const { documented, check, inconclusive } = suite.section('v1.service', 'What the service does');

  documented('http-json', '“The service is an HTTP/JSON interface to a pet store.”', async () => {
    const response = await client.send({ path: '/store/orders' });
    expectStatus(response, 200);
    expectJson(response);
  });

  documented(
    'holds-orders',
    '“Clients place and hold orders for animals (pets)”: the store holds orders',
    async () => {
      const listed = (await orders.list()).orders;
      ensure(listed.length > 0, 'a store with orders', listed);
    },
  );

  documented('prefix', '“The interface exposes them under the path prefix `/store/orders`.”', async () => {
    expectStatus(await client.send({ path: '/store/orders' }), 200);
    expectError(await cancel(client, '987654321'), 404, 'not_found');
  });

  documented('lists', '“A client can list all orders (`listOrders`).”', async () => {
    await orders.list();
  });

  documented(
    'cancels',
    '“A client can cancel one order by its identifier (`cancelOrder`)”: that one and no other',
    async () => {
      const { order, before, after } = await cancellation();
      expectSameOrders(after, without(before, order));
    },
  );

  check(
    'demonstration',
    '“The service is for demonstration only”: its published document says so',
    async () => {
      const { description } = at(await document.read(), 'info');
      ensure(/demonstration/i.test(String(description)), 'the word “demonstration”', description);
    },
  );

  check('base-address', '“Both end in the version prefix `/v1`”: this base address does', () => {
    equal(client.base.pathname, '/v1', 'a base path', client.base.href);
  });

  documented(
    'pets',
    '“Pet endpoints also exist: `GET /pets` (used as a connectivity check) and `GET /pets/{petId}`.”',
    async () => {
      const [pet] = petsIn(await client.send({ path: '/pets' }));
      expectStatus(await client.send({ path: `/pets/${pet?.id}` }), 200);
    },
  );

  if (staging === undefined) {
    const reason = 'needs --staging-url and --staging-key';
    inconclusive(
      'two-deployments',
      '“Two deployments exist, each with its own base address: production … and staging …”',
      reason,
    );
    return;
  }
  const stagingDeployment = staging;

  documented(
    'two-deployments',
    '“Two deployments exist”: staging responds, too, with its own key',
    async () => {
      await stagingDeployment.orders.list();
      petsIn(await stagingDeployment.client.send({ path: '/pets' }));
    },
  );

  check('own-address', '“each with its own base address”', () => {
    ensure(
      client.base.href !== stagingDeployment.client.base.href,
      'two addresses',
      stagingDeployment.client.base.href,
    );
  });

  check('staging-address', '“Both end in the version prefix `/v1`”: the base address of staging does', () => {
    equal(stagingDeployment.client.base.pathname, '/v1', 'a base path', stagingDeployment.client.base.href);
  });

  documented(
    'own-data',
    'each deployment has its own data: an order cancelled in staging stays in production',
    async () => {
      const before = await orders.list();
      const { responses } = await stagingDeployment.orders.cancelPending();
      for (const response of responses) expectStatus(response, 204);
      expectSameOrders((await orders.list()).orders, before.orders);
    },
  );

  check(
    'own-keys',
    'each deployment has its own keys: `pst_live_` in production; in staging `pst_test_` or a static key',
    () => {
      const [production, other] = [client.key, stagingDeployment.client.key].map((key) => key.slice(0, 9));
      equal(production, 'pst_live_', 'the prefix');
      ensure(other !== 'pst_live_', 'a different prefix in staging', other);
    },
  );

  documented('other-s-key', 'each deployment rejects the other’s key: 401 `invalid_api_key`', async () => {
    for (const path of ['/store/orders', '/pets']) {
      expectError(await client.send({ path, key: stagingDeployment.client.key }), 401, 'invalid_api_key');
      expectError(await stagingDeployment.client.send({ path, key: client.key }), 401, 'invalid_api_key');
    }
  });
}
