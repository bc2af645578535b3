import type { Suite } from '../check.ts';
import { ensure } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { expectErrorObject, expectErrorObjectIfAny, integerOf } from './expect.ts';
import type { Store } from './store.ts';

export function errorChecks(suite: Suite, store: Store): void {
  const { documented } = suite.section('spec.errors', 'Errors');
  const { client } = store;
  const missing = async () =>
    client.send({ method: 'DELETE', path: `/store/orders/${await store.missingId()}` });

  documented(
    'error-object',
    '“All error bodies use the Error object (`code`, `message`, `status`).”',
    async () => {
      expectErrorObject(await client.send({ path: '/pets', key: alteredKey(client.key) }), 401);
      expectErrorObject(await missing(), 404);
      for (const response of (await store.rejection()).responses) expectErrorObjectIfAny(response, 409);
    },
  );
  documented('401', '“401: API key missing or invalid: all operations”', async () => {
    for (const path of ['/store/orders', '/pets'])
      expectErrorObject(await client.send({ path, key: alteredKey(client.key) }), 401);
  });
  documented('404', '“404: Resource not found: `cancelOrder`”', async () => {
    expectErrorObject(await missing(), 404);
  });
  documented('409', '“409: Order has already shipped and cannot be cancelled: `cancelOrder`”', async () => {
    expectErrorObjectIfAny((await store.rejection()).responses[0], 409);
  });
  documented('status', '“`status`: The HTTP status code”: in the body of a 409, if any', async () => {
    for (const response of (await store.rejection()).responses) {
      if (response.body.length === 0) continue;
      const { status } = expectErrorObject(response, 409);
      ensure(integerOf(status) === 409n, 'the field `status` 409', status, response.request);
    }
  });
}
