import type { Suite } from '../check.ts';
import { ensure } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { expectErrorObject, integerOf, isObject, jsonIn } from './expect.ts';
import type { Store } from './store.ts';

/** The pet ids that `GET /pets` returns, in whatever shape; if none, those of the orders. */
export async function petIds({ client, orders }: Store): Promise<{ ids: bigint[]; areListed: boolean }> {
  const response = await client.send({ path: '/pets' });
  const body = response.body.length > 0 ? jsonIn(response) : [];
  const list = Array.isArray(body) ? body : Object.values(isObject(body) ? body : {}).find(Array.isArray);
  const idsIn = (items: readonly unknown[], field: string) =>
    items.flatMap((item) => integerOf(isObject(item) ? item[field] : undefined) ?? []);
  const ids = idsIn(list ?? [], 'id');
  if (ids.length > 0) return { ids, areListed: true };
  return { ids: idsIn(await orders(), 'petId'), areListed: false };
}

export function petChecks(suite: Suite, store: Store): void {
  const { documented } = suite.section('spec.pets', 'Endpoints: pets');
  const { client } = store;

  documented(
    'connectivity',
    '“`GET /pets` (used as a connectivity check)”: it succeeds with a key',
    async () => {
      const response = await client.send({ path: '/pets' });
      const isSuccess = response.status >= 200 && response.status <= 299;
      ensure(isSuccess, 'status 200', `${response.status} ${response.text}`, response.request);
      if (response.body.length > 0) jsonIn(response);
    },
  );
  documented(
    'invalid-key',
    '`GET /pets`: “All require the bearer credential”, so an invalid key is 401',
    async () => {
      expectErrorObject(await client.send({ path: '/pets', key: alteredKey(client.key) }), 401);
    },
  );
  documented(
    'pet-invalid-key',
    '`GET /pets/{petId}`: “All require the bearer credential”, so an invalid key is 401',
    async () => {
      const [id = 1n] = (await petIds(store)).ids;
      expectErrorObject(await client.send({ path: `/pets/${id}`, key: alteredKey(client.key) }), 401);
    },
  );
}
