import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { type Client, clientOf, type Order, openClient, type Page } from '../support/v2.ts';

const LIST = '/v2/store/orders';
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

async function pageOf(client: Client, query: string): Promise<Page<Order>> {
  const response = await client(`GET ${LIST}?${query}`);
  if (response.status !== 200) throw new Error(response.text);
  return response.json<Page<Order>>();
}

async function codeOf(client: Client, query: string): Promise<string> {
  const response = await client(`GET ${LIST}?${query}`);
  return response.status === 200 ? 'taken' : response.error().code;
}

describe.each(engines)('cursors on $name', (engine) => {
  const service = useService(engine, { intervalMs: 20 });

  it('stay valid when the order they point to was cancelled or shipped', async () => {
    const { client } = await openClient(service());
    const { data, nextCursor } = await pageOf(client, 'status=pending&limit=2');
    await client(`DELETE ${LIST}/${data[1]?.id}`);
    await client(`POST ${LIST}/${data[0]?.id}/ship`);
    const rest = await pageOf(client, `status=pending&cursor=${nextCursor}`);
    expect(rest.data).toEqual((await pageOf(client, 'status=pending')).data);
  });

  it('are valid on every replica and after a restart', async () => {
    const { client, store } = await openClient(service());
    const full = await pageOf(client, 'sort=-shipDate&limit=1000');
    const walked: Order[] = [];
    let cursor = '';
    for (let i = 0; i < 40; i += 4) {
      // Each page comes from a newly started replica.
      await using replica = await startService(engine, { database: service().database });
      const from = i % 8 === 0 ? client : clientOf(replica, store);
      const page = await pageOf(from, `sort=-shipDate&limit=4${cursor}`);
      walked.push(...page.data);
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(walked).toEqual(full.data);
  });

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it('400 invalid_cursor: with any character changed, missing, or added', async () => {
    const { client } = await openClient(service());
    const { nextCursor } = await pageOf(client, 'limit=3');
    const cursor = nextCursor as string;
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    for (let i = 0; i < cursor.length; i++) {
      const others =
        i === cursor.length - 1 ? [...alphabet] : [...alphabet].filter((_, n) => (n + i) % 13 === 0);
      for (const other of others.filter((character) => character !== cursor[i])) {
        const changed = cursor.slice(0, i) + other + cursor.slice(i + 1);
        expect([changed, await codeOf(client, `cursor=${changed}`)]).toEqual([changed, 'invalid_cursor']);
      }
      const shorter = cursor.slice(0, i) + cursor.slice(i + 1);
      expect([shorter, await codeOf(client, `cursor=${shorter}`)]).toEqual([shorter, 'invalid_cursor']);
    }
    for (const text of [
      `${cursor}A`,
      `${cursor}=`,
      `A${cursor}`,
      cursor + cursor,
      cursor.repeat(20),
      encodeURIComponent('é🐶'),
      '%00',
      'x',
      'null',
      '%20',
      '0',
      '2',
    ]) {
      expect([text, await codeOf(client, `cursor=${text}`)]).toEqual([text, 'invalid_cursor']);
    }
    expect(await codeOf(client, `cursor=${cursor}`)).toBe('taken');
  });

  it('400 invalid_cursor: in another store, with another filter or sort', async () => {
    const [one, other] = [await openClient(service()), await openClient(service())];
    const base =
      'status=pending,shipped&petId=4&shipDateFrom=2026-01-01T00:00:00Z&shipDateTo=2028-01-01T00:00:00Z&sort=-id';
    const { nextCursor } = await pageOf(one.client, `${base}&limit=1`);
    const at = `&cursor=${nextCursor}`;
    expect(await codeOf(one.client, base + at)).toBe('taken');
    expect(await codeOf(other.client, base + at)).toBe('invalid_cursor');
    for (const [was, is] of [
      ['pending,shipped', 'pending'],
      ['status=pending,shipped&', ''],
      ['petId=4', 'petId=5'],
      ['petId=4&', ''],
      ['From=2026', 'From=2025'],
      ['shipDateTo=2028-01-01T00:00:00Z&', ''],
      ['sort=-id', 'sort=id'],
      ['sort=-id', 'sort=-shipDate'],
      ['sort=-id', 'complete=true&sort=-id'],
    ] as const) {
      expect([is, await codeOf(one.client, base.replace(was, is) + at)]).toEqual([is, 'invalid_cursor']);
    }
    const { nextCursor: plain } = await pageOf(one.client, 'limit=1');
    expect(await codeOf(one.client, `status=pending&cursor=${plain}`)).toBe('invalid_cursor');
  });

  it('400 invalid_cursor: from another webhook’s deliveries, or another store’s requests', async () => {
    const [one, other] = [await openClient(service()), await openClient(service())];
    const hooks: string[] = [];
    for (const _ of [1, 2]) {
      const added = await one.client('POST /v2/webhooks', { body: { url: 'https://receiver.invalid/' } });
      const hook = `/v2/webhooks/${added.json<{ id: string }>().id}`;
      await one.client(`PATCH ${hook}`, { body: { active: false } });
      for (const _ of [1, 2]) await one.client(`POST ${hook}/test`);
      hooks.push(`${hook}/deliveries`);
    }
    const [first = '', second = ''] = hooks;
    const cursorOf = async (path: string) =>
      (await one.client(`GET ${path}?limit=1`)).json<Page<unknown>>().nextCursor;
    await expect.poll(() => cursorOf('/v2/store/requests'), { timeout: 60_000 }).not.toBeNull();
    for (const [path, otherPlace, send] of [
      [first, second, one.client],
      ['/v2/store/requests', '/v2/store/requests', other.client],
      [first, '/v2/store/requests', one.client],
    ] as const) {
      const cursor = await cursorOf(path);
      expect((await one.client(`GET ${path}?cursor=${cursor}`)).status).toBe(200);
      const rejected = await send(`GET ${otherPlace}?cursor=${cursor}`);
      expect([otherPlace, rejected.status, rejected.error().code]).toEqual([
        otherPlace,
        400,
        'invalid_cursor',
      ]);
    }
    for (const path of [first, '/v2/store/requests'])
      for (const query of ['limit=0', 'limit=1001', 'status=pending']) {
        const rejected = await one.client(`GET ${path}?${query}`);
        expect([path, query, rejected.status, rejected.error().code]).toEqual([
          path,
          query,
          400,
          'invalid_parameter',
        ]);
      }
  });

  it('accept the same filters written differently, and another limit', async () => {
    const { client } = await openClient(service());
    const { data, nextCursor } = await pageOf(client, 'status=pending,shipped,pending&limit=4&sort=id');
    const rest = await pageOf(
      client,
      `cursor=${nextCursor}&complete=false&status=shipped,pending&limit=1000`,
    );
    const full = await pageOf(client, 'status=pending,shipped&limit=1000');
    expect([...data, ...rest.data]).toEqual(full.data);
    const zoned = await pageOf(client, 'shipDateFrom=2026-10-01T00:00:00Z&limit=1');
    const same = `shipDateFrom=2026-10-01T02:00:00%2B02:00&cursor=${zoned.nextCursor}`;
    expect(await codeOf(client, same)).toBe('taken');
  });
});
