import type { Suite } from '../check.ts';
import { ensure } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { expectErrorObject } from './expect.ts';
import { petIds } from './pets.ts';
import type { Store } from './store.ts';

export function authenticationChecks(suite: Suite, store: Store): void {
  const { documented, check } = suite.section('spec.authentication', 'Authentication');
  const { client } = store;
  const list = '/store/orders';
  const operations = {
    listOrders: async () => ({ path: list }),
    cancelOrder: async () => ({ method: 'DELETE', path: `${list}/${await store.missingId()}` }),
    listPets: async () => ({ path: '/pets' }),
    getPet: async () => ({ path: `/pets/${(await petIds(store)).ids[0] ?? 1}` }),
  };
  const withAuthorization = (value: string) =>
    client.send({ path: list, key: null, headers: { Authorization: value } });

  for (const [name, call] of Object.entries(operations)) {
    check(
      `requires-key.${name}`,
      `“Every operation requires HTTP bearer authentication”: \`${name}\` without a key is 401`,
      async () => {
        expectErrorObject(await client.send({ ...(await call()), key: null }), 401);
      },
    );
    documented(
      `invalid-key.${name}`,
      `“A request with a missing or invalid key gets status 401 and an Error object”: \`${name}\``,
      async () => {
        expectErrorObject(await client.send({ ...(await call()), key: alteredKey(client.key) }), 401);
      },
    );
  }
  documented(
    'bearer-header',
    '“The client sends its API key as a bearer token in the `Authorization` header.”',
    async () => {
      for (const path of [list, '/pets']) {
        const { status, request } = await client.send({ path });
        ensure(status !== 401 && status !== 403, 'the key to be accepted', status, request);
      }
    },
  );
  check('other-scheme', '“… as a bearer token”: another scheme, or the key alone, is rejected', async () => {
    const { key } = client;
    const basic = [`${key}:`, `:${key}`, key].map((text) => `Basic ${Buffer.from(text).toString('base64')}`);
    for (const value of [...basic, `Basic ${key}`, `Token ${key}`, `ApiKey ${key}`, `Bearer:${key}`, key])
      expectErrorObject(await withAuthorization(value), 401);
  });
  check(
    'other-place',
    '“… in the `Authorization` header”: a key in another header, the query or a cookie is ignored',
    async () => {
      const { key } = client;
      const headers: Record<string, string>[] = [
        { 'X-API-Key': key },
        { 'Api-Key': key, 'X-Auth-Token': key, 'X-Access-Token': key, Authentication: `Bearer ${key}` },
        { 'Proxy-Authorization': `Bearer ${key}`, 'X-Authorization': `Bearer ${key}` },
        {
          Cookie: ['key', 'api_key', 'token', 'session', 'Authorization']
            .map((name) => `${name}=${key}`)
            .join('; '),
        },
      ];
      for (const each of headers)
        expectErrorObject(await client.send({ path: list, key: null, headers: each }), 401);
      const names = ['key', 'apikey', 'api_key', 'apiKey', 'access_token', 'token', 'auth'];
      for (const name of names)
        expectErrorObject(
          await client.send({ path: `${list}?${name}=${encodeURIComponent(key)}`, key: null }),
          401,
        );
    },
  );
  check(
    'whole-key',
    '“invalid API key”: a key that is truncated, extended or empty is rejected',
    async () => {
      const { key } = client;
      const half = key.slice(0, Math.ceil(key.length / 2));
      const others = [
        key.slice(0, -1),
        half,
        key.slice(1),
        `${key}x`,
        `x${key}`,
        `${key}${key}`,
        'x',
        'null',
      ];
      for (const other of others.filter((text) => text !== '' && text !== key))
        expectErrorObject(await client.send({ path: list, key: other }), 401);
      for (const value of ['Bearer', 'Bearer ', '']) expectErrorObject(await withAuthorization(value), 401);
    },
  );
}
