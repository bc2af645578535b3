import { Inconclusive, type Section, type Suite } from '../check.ts';
import { ensure, expectJson, expectStatus } from '../expect.ts';
import type { Client } from '../http.ts';
import { jsonIn } from './expect.ts';
import { petIds } from './pets.ts';
import type { Store } from './store.ts';

export interface Staging {
  readonly client: Client;
  readonly store: Store;
}

export function serviceChecks(suite: Suite, store: Store, givenUrl: URL, staging: Staging | undefined): void {
  const section = suite.section('spec.service', 'What the service does');
  const { documented, check } = section;
  const { client } = store;

  documented('http-json', '“The service is an HTTP/JSON interface to a pet store.”', async () => {
    const response = await client.send({ path: '/store/orders' });
    expectStatus(response, 200);
    jsonIn(response);
  });
  documented('prefix', '“The interface exposes them under the path prefix `/store/orders`.”', async () => {
    expectStatus(await client.send({ path: '/store/orders' }), 200);
    const path = `/store/orders/${await store.missingId()}`;
    expectStatus(await client.send({ method: 'DELETE', path }), 404);
  });
  documented('lists', '“A client can list all orders (`listOrders`).”', async () => {
    await store.list();
  });
  documented('cancels', '“A client can cancel one order by its identifier (`cancelOrder`).”', async () => {
    expectStatus((await store.cancellation()).response, 204);
  });
  check('base-address', '“Both end in the version prefix `/v1`”: this base address does', () => {
    const { pathname } = client.base;
    ensure(/\/v1\/?$/.test(pathname), 'a base address that ends in /v1', givenUrl.href);
  });
  documented('pets', '“Pet endpoints also exist: `GET /pets` … and `GET /pets/{petId}`.”', async () => {
    const response = await client.send({ path: '/pets' });
    ensure(isSuccess(response.status), 'status 200', `${response.status} ${response.text}`, response.request);
    const { ids, areListed } = await petIds(store);
    if (ids.length === 0) throw new Inconclusive('no pet id found in pets or orders');
    const found = [];
    for (const id of ids.slice(0, 3)) found.push(await client.send({ path: `/pets/${id}` }));
    // From its sunset on, the deprecated operation may be gone.
    const served = found.find(({ status }) => isSuccess(status) || status === 410);
    if (!served && !areListed && found.every(({ status }) => status === 404))
      throw new Inconclusive('found no pet: GET /pets returns no ids');
    const [one] = found;
    ensure(served !== undefined, 'status 200 for a pet', `${one?.status} ${one?.text}`, one?.request);
  });
  if (staging) stagingChecks(section, client, staging);
}

function stagingChecks({ documented }: Section, client: Client, staging: Staging): void {
  documented(
    'two-deployments',
    '“Two deployments exist, each with its own base address: production … and staging …”',
    async () => {
      const { base } = staging.client;
      ensure(base.href !== client.base.href, 'two base addresses', base.href);
      await staging.store.list();
      const response = await staging.client.send({ path: '/pets' });
      expectStatus(response, 200);
      expectJson(response);
    },
  );
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;
