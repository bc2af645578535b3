import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { AuthenticationError, ConflictError, startPetStore, TimeoutError } from '../src/index.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a store in a test', () => {
  it('runs, with a key and a client, until the block ends', async () => {
    let url: string;
    {
      await using store = await startPetStore();
      ({ url } = store);
      const response = await fetch(`${url}/store/orders`, {
        headers: { authorization: `Bearer ${store.key}` },
      });
      expect(await response.json()).toHaveLength(40);
      expect(store.key).toMatch(/^pst_test_/);
      await store.client.orders.cancel(2);
      await expect(store.client.orders.cancel(1)).rejects.toThrow(ConflictError);
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  it('starts with the given data set, and a reset restores it', async () => {
    await using store = await startPetStore({ dataSet: 'int64', seed: 7 });
    const ids = async () => (await store.client.v1.listOrders()).map(({ id }) => id);
    expect(await ids()).toContain(9223372036854775807n);
    const before = await store.client.v1.listOrders();
    await store.client.orders.cancel(9007199254740993n);
    expect(await store.reset()).toMatchObject({ dataSet: 'int64', seed: 7n });
    expect(await store.client.v1.listOrders()).toEqual(before);
    await store.reset({ dataSet: 'empty' });
    expect(await ids()).toEqual([]);
  });

  it('starts with custom data, and a reset restores it', async () => {
    const data = { pets: [{ id: 7n, name: 'Ada', category: 'cat', stock: 2 }], orders: [] };
    await using store = await startPetStore({ data });
    const names = async () => (await store.client.v1.listPets()).map(({ name }) => name);
    expect(await names()).toEqual(['Ada']);
    await store.client.pets.change(7, { name: 'Eve' });
    expect(await store.reset()).toMatchObject({ dataSet: 'own' });
    expect(await names()).toEqual(['Ada']);
  });

  it('sends a reset once, and waits up to five minutes for its response', async () => {
    const responses: ((response: Response) => void)[] = [];
    const neverInTime = (_: unknown, { signal }: RequestInit = {}) =>
      new Promise<Response>((resolve, reject) => {
        responses.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    vi.stubGlobal('fetch', neverInTime);
    await using store = await startPetStore();
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const reset = store.reset({ dataSet: 'large', orders: 1_000_000 });
    await vi.advanceTimersByTimeAsync(290_000);
    expect(responses).toHaveLength(1);
    responses[0]?.(Response.json({ orders: 1_000_000 }));
    expect(await reset).toEqual({ orders: 1_000_000 });
    const timedOut = expect(store.reset()).rejects.toBeInstanceOf(TimeoutError);
    await vi.advanceTimersByTimeAsync(301_000);
    await timedOut;
    expect(responses).toHaveLength(2);
    vi.useRealTimers();
  });

  it('rejects an unknown data set', async () => {
    const starting = startPetStore({ dataSet: 'all' as never });
    await expect(starting).rejects.toThrow("'dataSet' must be one of default, empty, int64, large");
  });

  it('fails as configured, and stops failing when configured so', async () => {
    await using store = await startPetStore();
    await store.fail({ operation: 'v1.listPets', fault: 'status', parameters: { code: 401 }, times: null });
    await expect(store.client.v1.listPets()).rejects.toThrow(AuthenticationError);
    await store.fail();
    expect(await store.client.v1.listPets()).toHaveLength(12);
  });

  it('runs next to any number of others', async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => startPetStore()));
    const pending = await Array.fromAsync(stores[0]?.client.orders.list({ status: 'pending' }) ?? []);
    await Promise.all(stores.map(({ client }, at) => client.orders.cancel(pending[at]?.id ?? 0)));
    const lists = await Promise.all(stores.map(({ client }) => client.v1.listOrders()));
    expect(lists.map((list) => list.length)).toEqual([39, 39, 39, 39, 39]);
    expect(new Set(lists.map((list) => list.map(({ id }) => id).join())).size).toBe(5);
    await Promise.all(stores.map((store) => store.close()));
  });
});

it('the README’s test exits even when its assertions fail', async ({ signal }) => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /^```js\n([\s\S]*?)^```/m.exec(readme) ?? [];
  using folder = temporaryFolder();
  const wrong = example
    .replace("'@petstore/testing'", `'${new URL('../src/index.ts', import.meta.url)}'`)
    .replace("'DELETE'", "'GET'");
  const file = join(folder.path, 'cancel.test.mjs');
  writeFileSync(file, wrong);
  const args = ['--test', '--test-reporter', 'tap', file];
  const ended = promisify(execFile)(process.execPath, args, { signal });
  await expect(ended).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('# fail 2') });
});
