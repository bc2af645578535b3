import { describe, expect, it } from 'vitest';
import { createInspector } from '../../src/requests/inspector.ts';
import { pruneExpired } from '../../src/stores/prune-expired.ts';
import { fastAccounts, firstKey, signUpAndIn } from '../accounts/browser.ts';
import { engines } from '../support/engines.ts';
import { runJob } from '../support/jobs.ts';
import { startService, useService } from '../support/service.ts';
import { type Client, clientOf, type Page } from '../support/v2.ts';

interface Seen {
  at: string;
  method: string;
  path: string;
  operation: string | null;
  status: bigint | null;
  error: string | null;
  fault: string | null;
  durationMs: number;
  requestId: string;
  keyId: string;
  userAgent: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  requestBody: string | null;
  answerBody: string | null;
  traceparent: string | null;
}

const clock = { offset: 0 };
const options = { now: () => Date.now() + clock.offset, intervalMs: 20 };

/** Waits until the newest requests are written down. */
async function readBy(client: Client, predicate: (seen: Seen[]) => boolean, query = ''): Promise<Seen[]> {
  for (;;) {
    const { data } = (await client(`GET /v2/store/requests${query}`)).json<Page<Seen>>();
    if (predicate(data)) return data;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.each(engines)('the inspector on $name', (engine) => {
  const service = useService(engine, options);

  it('shows requests with the store’s keys, newest first, with their outcome', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const headers = { 'user-agent': 'mine/1', 'x-request-id': 'abc' };
    await client('GET /v1/store/orders?x=1', { headers });
    await client('POST /v2/pets', { body: { name: 'Rex', category: 'dog' }, headers: { cookie: 'a=b' } });
    await client('POST /v2/store/orders/1/deliver', { headers: { 'accept-encoding': 'gzip' } });
    const [deliver, post, list] = (await readBy(client, (all) => all.length === 3)) as [Seen, Seen, Seen];
    expect(list).toMatchObject({
      method: 'GET',
      path: '/v1/store/orders?x=1',
      operation: 'listOrders',
      status: 200n,
      error: null,
      requestId: 'abc',
      keyId: store.keyId,
      userAgent: 'mine/1',
      requestBody: null,
    });
    expect(list.answerBody).toMatch(/^\[\{"id":1,/);
    expect(post).toMatchObject({
      requestBody: '{"name":"Rex","category":"dog"}',
      answerBody: '{"id":13,"name":"Rex","category":"dog","status":"sold","stock":0}',
    });
    expect(deliver).toMatchObject({ operation: 'deliverOrder', status: 409n, error: 'invalid_transition' });
    expect(JSON.parse(deliver.answerBody ?? '').code).toBe('invalid_transition');
    expect(Number(post.durationMs)).toBeGreaterThan(0);
  });

  it('shows both sides’ headers, but no credentials', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const headers = { 'idempotency-key': 'k-1', cookie: 'a=b', 'x-mine': `x ${store.key}` };
    await client('POST /v2/store/orders', { body: { petId: 1, quantity: 1 }, headers });
    await client('GET /v2/pets', { headers: { 'x-long': 'x'.repeat(5000), prefer: 'late' } });
    const [long, placed] = (await readBy(client, (all) => all.length === 2)) as [Seen, Seen];
    const mine = `x ${store.key.slice(0, 9)}…`;
    expect(placed.requestHeaders).toMatchObject({
      'idempotency-key': 'k-1',
      authorization: '…',
      cookie: '…',
      'x-mine': mine,
      'content-type': 'application/json',
    });
    expect(placed.responseHeaders).toMatchObject({
      'content-type': 'application/json',
      location: '/v2/store/orders/41',
      'x-request-id': placed.requestId,
    });
    expect(long.requestHeaders).not.toHaveProperty('x-long');
    expect(JSON.stringify(long.requestHeaders).length).toBeLessThan(4096);
  });

  it('shows a request’s trace, and no malformed one', async () => {
    const client = clientOf(service(), await service().openStore());
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    for (const traceparent of [
      `00-${trace}`,
      `01-${trace}-${'x'.repeat(9000)}`,
      `00-${trace}-x`,
      'pst_live_x',
    ])
      await client('GET /v2/pets', { headers: { traceparent } });
    await client('GET /v2/pets');
    const seen = await readBy(client, (all) => all.length === 5);
    const shown = seen.map(({ traceparent }) => traceparent).reverse();
    expect(shown).toEqual([`00-${trace}`, `01-${trace}`, null, null, null]);
  });

  it('shows what the client saw of a faulty response, and what the service had sent', async () => {
    await using staging = await startService(engine, { ...options, deployment: 'staging' });
    const client = clientOf(staging, await staging.openStore());
    const body = { petId: 1, quantity: 1 };
    const met = async (prefer: string) => {
      await client('POST /v2/store/orders', { body, headers: { prefer } }).catch(() => {});
    };
    for (const fault of ['drop', 'reset', 'garbage', 'lost-answer', 'truncate']) await met(`fault=${fault}`);
    await met('code=409');
    await client('POST /v2/store/orders', { body });
    const seen = await readBy(client, (all) => all.length === 7);
    expect(seen.map(({ fault, status, error }) => [fault, status, error])).toEqual([
      [null, 201n, null],
      ['status', 409n, 'insufficient_stock'],
      ['truncate', 201n, null],
      ['lost-answer', 201n, null],
      ['garbage', null, null],
      ['reset', null, null],
      ['drop', null, null],
    ]);
    for (const { requestBody } of seen) expect(requestBody).toBe('{"petId":1,"quantity":1}');
    expect(seen.map(({ answerBody }) => answerBody === null)).toEqual(
      seen.map(({ status }) => status === null),
    );
  });

  it('continues after a reset, which it lists', async () => {
    await using staging = await startService(engine, { ...options, deployment: 'staging' });
    const client = clientOf(staging, await staging.openStore());
    await client('GET /v2/pets');
    await readBy(client, (all) => all.length === 1);
    // A line written during another reset may stay with the old store.
    for (const [before, dataSet] of ['empty', 'int64'].entries()) {
      await client('POST /v2/sandbox/reset', { body: { dataSet } });
      await readBy(client, (all) => all.length === before + 2);
    }
    await client('GET /v2/store/orders');
    const seen = await readBy(client, ([newest]) => newest?.operation === 'listOrders');
    expect(seen.map(({ operation, status }) => [operation, status])).toEqual([
      ['listOrders', 200n],
      ['resetSandbox', 200n],
      ['resetSandbox', 200n],
      ['listPets', 200n],
    ]);
  });

  it('retains reference requests and their response over a reset', async () => {
    const writtenAtTheEnd = { deployment: 'staging', accounts: fastAccounts, intervalMs: 1e9 } as const;
    await using staging = await startService(engine, writtenAtTheEnd);
    const member = await signUpAndIn(staging);
    const { key } = (await member.browser.send('POST /token')).json<{ key: string }>();
    const triedOut = { key, headers: { 'x-tried-out': '1' } };
    const client = clientOf(staging, { key: (await firstKey(member)).key });
    await client('GET /v2/pets', triedOut);
    await client('GET /v2/store/orders');
    await client('POST /v2/sandbox/reset', { body: { dataSet: 'empty' } });
    await staging.app.close();
    const seen = await staging.database.rows(
      `SELECT operation FROM requests JOIN stores ON store_id = stores.id
       WHERE closed_at IS NULL ORDER BY requests.id`,
    );
    expect(seen.map(({ operation }) => operation)).toEqual(['listPets', 'listOrders', 'resetSandbox']);
  });

  it('shows requests with a revoked or expired key to that key’s store', async () => {
    const [mine, old] = [await service().openStore(), await service().openStore()];
    await service().database.exec(
      `UPDATE keys SET store_id = ${mine.storeId}, revoked_at = 1 WHERE id = '${old.keyId}'`,
    );
    const client = clientOf(service(), mine);
    expect((await client('GET /v2/pets', { key: old.key })).status).toBe(401);
    const [seen] = await readBy(client, (all) => all.length === 1);
    expect(seen).toMatchObject({ status: 401n, error: 'invalid_api_key', keyId: old.keyId });
  });

  it('does not count a requested 401 fault as a rejected key', async () => {
    await using staging = await startService(engine, { ...options, deployment: 'staging' });
    const client = clientOf(staging, await staging.openStore());
    for (let i = 0; i < 60; i++) await client('GET /v2/pets', { headers: { prefer: 'code=401' } });
    await client('GET /v2/store/orders/1');
    const isLast = ([newest]: Seen[]) => newest?.operation === 'getOrder';
    expect(await readBy(client, isLast, '?limit=100')).toHaveLength(61);
  });

  it('limits rejected keys’ requests so that they displace no others', async () => {
    const [mine, old] = [await service().openStore(), await service().openStore()];
    await service().database.exec(
      `UPDATE keys SET store_id = ${mine.storeId}, revoked_at = 1 WHERE id = '${old.keyId}'`,
    );
    const client = clientOf(service(), mine);
    for (let i = 0; i < 3; i++) await client(`GET /v2/pets/${i}`);
    const flood = (first: number) =>
      Promise.all(
        Array.from({ length: 150 }, (_, i) => client(`GET /v2/pets?limit=${first + i}`, { key: old.key })),
      );
    const isTheirs = ({ keyId }: Seen) => keyId === old.keyId;
    for (const first of [1, 151]) {
      await flood(first);
      const all = await readBy(client, (seen) => seen.filter(isTheirs).length === 50, '?limit=1000');
      expect(all.filter((seen) => !isTheirs(seen)).map(({ path }) => path)).toEqual([
        '/v2/pets/2',
        '/v2/pets/1',
        '/v2/pets/0',
      ]);
    }
  });

  it('stores no key and no secret, wherever they were', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const { key } = store;
    const escaped = key.replace('_', '%5F');
    // All but the last of its random characters would be stored, wherever the text ends.
    const [almostAll, rest] = [key.slice(0, 40), key.slice(40)];
    const lastEscaped = `${almostAll}%${rest.charCodeAt(0).toString(16)}${rest.slice(1)}`;
    await client(`GET /v2/pets?category=${key}`);
    await client(`GET /v2/pets?category=${escaped}`);
    await client(`GET /v2/${key}`);
    await client('POST /v2/pets', { body: { name: key, category: 'dog' }, headers: { 'user-agent': key } });
    await client('POST /v2/webhooks', { body: { url: 'https://receiver.invalid/' } });
    await client(`GET /v2/pets?category=${lastEscaped}`);
    const cut = (at: number) => 'x'.repeat(at - almostAll.length);
    const path = '/v2/pets?category=';
    await client(`GET ${path}${cut(2000 - path.length)}${key}`);
    await client(`GET ${path}${cut(2000 - path.length - 2)}${escaped}`);
    for (const cutEscape of ['%', '%4', '%41'])
      await client(`GET ${path}${cut(2000 - path.length - cutEscape.length)}${lastEscaped}`);
    await client('POST /v2/pets', {
      body: { name: cut(4096 - '{"name":"'.length) + key },
      headers: { 'user-agent': cut(200) + key },
    });
    await readBy(client, (all) => all.length === 12);
    const rows = await service().database.rows(`SELECT * FROM requests WHERE store_id = ${store.storeId}`);
    const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).not.toContain(key.slice(9, 20));
    expect(text).not.toMatch(/whsec_[A-Za-z0-9]/);
    expect(text).toContain('whsec_…');
  });

  it('stores no key hidden in JSON escapes, even in a truncated body', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    const inJson = (text: string) =>
      text.replace(
        /./g,
        (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
      );
    const { key } = store;
    const [start, rest] = [key.slice(0, 20), key.slice(20)];
    const send = (name: string) =>
      client('POST /v2/pets', {
        body: `{"name":"${name}"}`,
        headers: { 'content-type': 'application/json' },
      });
    const hidden = [inJson(key), key.replace('_', '\\u005f'), start + inJson(rest), `50%25 ${inJson(key)}`];
    for (const name of hidden) await send(name);
    for (const cutTo of [1, 2, 3, 4, 5, 6])
      await send('x'.repeat(4096 - '{"name":"'.length - start.length - cutTo) + start + inJson(rest));
    await send('caf\\u00e9 \\u0041');
    const [harmless, ...all] = await readBy(client, (seen) => seen.length === 11);
    expect(harmless?.requestBody).toBe('{"name":"caf\\u00e9 \\u0041"}');
    const shown = all.map(({ requestBody }) =>
      requestBody?.replace(/\\u00[\da-f]{2}/gi, (escaped) => JSON.parse(`"${escaped}"`)),
    );
    expect(shown.filter((text) => text?.includes(key.slice(9, 20)))).toEqual([]);
  });

  it('stores the last 200 of each store, by page, with the first 4 KB of each body', async () => {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    for (let i = 0; i < 250; i++) await client(`GET /v2/pets/${i}`);
    const all = await readBy(client, ([first]) => first?.path === '/v2/pets/249', '?limit=1000');
    expect(all.length).toBe(200);
    expect(all.at(-1)?.path).toBe('/v2/pets/50');
    const first = (await client('GET /v2/store/requests?limit=150')).json<Page<Seen>>();
    const second = (await client(`GET /v2/store/requests?limit=150&cursor=${first.nextCursor}`)).json<
      Page<Seen>
    >();
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.nextCursor).toBeNull();
    await client('GET /v2/store/orders?limit=1000', { headers: { 'accept-encoding': 'gzip' } });
    const [long] = await readBy(client, ([one]) => one?.operation === 'listOrders');
    expect(long?.answerBody).toMatch(/^\{"data":\[\{"id":1,/);
    expect(long?.answerBody).toHaveLength(4096);
  });

  it('continues after the clock was ahead for a while', async () => {
    const client = clientOf(service(), await service().openStore());
    clock.offset = 365 * 24 * 3_600_000;
    for (let i = 0; i < 200; i++) await client(`GET /v2/pets/${i}`);
    await readBy(client, ([first]) => first?.path === '/v2/pets/199');
    clock.offset = 0;
    await client('GET /v2/pets');
    await readBy(client, ([first]) => first?.path === '/v2/pets');
  });

  it('belongs to one store, and expires after a day', async () => {
    const [mine, other] = [await service().openStore(), await service().openStore()];
    const [client, theirs] = [clientOf(service(), mine), clientOf(service(), other)];
    await client('GET /v2/pets');
    await readBy(client, (all) => all.length === 1);
    expect(await readBy(theirs, () => true)).toEqual([]);
    clock.offset += 24 * 3_600_000 + 1;
    expect(await readBy(client, () => true)).toEqual([]);
    const { db, writer } = service().deployment;
    await runJob(pruneExpired(db, writer, options.now));
    const left = `SELECT id FROM requests WHERE store_id = ${mine.storeId}`;
    expect(await service().database.rows(left)).toEqual([]);
  });
});

describe('without the inspector', () => {
  it('nothing is stored', async () => {
    const [sqlite] = engines as [(typeof engines)[number]];
    await using service = await startService(sqlite, { inspector: false });
    const client = clientOf(service, await service.openStore());
    await client('GET /v2/pets');
    await service.app.close();
    expect(await service.database.rows('SELECT * FROM requests')).toEqual([]);
  });
});

it('the inspector buffers at most 16 MB until it writes, for all stores together', async () => {
  const recorded: unknown[] = [];
  const writer = {
    apply: async (_: never, { requests }: { requests: unknown[] }) => recorded.push(...requests),
  };
  const inspector = createInspector(writer as never, Date.now);
  const bodyBytes = Buffer.alloc(4096, 'x');
  const noteAll = () => {
    for (let storeId = 0n; storeId < 2_000n; storeId++)
      inspector.record({
        request: {
          caller: { storeId },
          operation: {},
          headers: {},
          raw: { rawHeaders: [] },
          url: '/',
          responseHeaders: [],
          bodyBytes,
        },
        response: { status: 200, body: bodyBytes },
        ms: 1,
      } as never);
    return inspector.finish(async (work) => void (await work()));
  };
  await noteAll();
  const fitting = Math.floor((16 * 1024 * 1024) / (3 * 4096 + 1));
  expect(recorded).toHaveLength(fitting);
  await noteAll();
  expect(recorded).toHaveLength(2 * fitting);
});
