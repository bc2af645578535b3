import * as childProcess from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/query.ts';
import { createKey, newKey } from '../../src/keys/manage-keys.ts';
import { anyEngine, sqlite, temporaryFolder } from '../support/engines.ts';
import { startService, type TestService, useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';

const execFile = promisify(childProcess.execFile);

/** The official client, connected. */
async function connect({ origin }: TestService, key: string) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args });
    const { isError = false, structuredContent } = result as typeof result & { isError?: boolean };
    const [shown] = result.content as { text: string }[];
    const value = JSON.parse(shown?.text ?? '') as Record<string, unknown>;
    // The client validates structured results against the tool's schema.
    expect(structuredContent).toEqual(isError ? undefined : value);
    return { isError, value };
  };
  return { client, call, [Symbol.asyncDispose]: () => client.close() };
}

const post = (key: string, body: string, headers = {}) => ({
  key,
  body,
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
});
const callOf = (name: string, args = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

describe.each(anyEngine)('the Model Context Protocol on $name', (engine) => {
  const service = useService(engine, { deployment: 'staging' });

  it('has a tool for each operation on orders and pets; reading ones are annotated', async () => {
    await using session = await connect(service(), (await service().openStore()).key);
    const { tools } = await session.client.listTools();
    const kinds = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
    expect(kinds).toMatchObject({
      listOrders: true,
      getOrder: true,
      getOrderHistory: true,
      placeOrder: false,
      shipOrder: false,
      deliverOrder: false,
      cancelOrder: false,
      listPets: true,
      getPet: true,
      createPet: false,
      changePet: false,
    });
    const place = tools.find(({ name }) => name === 'placeOrder');
    expect(place?.inputSchema).toMatchObject({
      properties: { petId: { type: 'string' }, quantity: { type: 'integer', maximum: 1000 } },
      required: ['petId', 'quantity'],
    });
    expect(place?.outputSchema).toMatchObject({
      type: 'object',
      properties: {
        id: { type: 'string' },
        petId: { type: 'string' },
        status: { enum: ['pending', 'shipped', 'delivered', 'cancelled'] },
      },
    });
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object')).toEqual([]);
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });

  it('returns results that match each tool’s output schema, as the client verifies', async () => {
    await using session = await connect(service(), (await service().openStore()).key);
    const { client, call } = session;
    await client.listTools();
    const strict = new Ajv2020();
    const calls = {
      listOrders: {},
      getSummary: {},
      listPets: {},
      createPet: { name: 'Rex', category: 'dog', stock: 3 },
      getPet: { petId: 1 },
      changePet: { petId: '1', stock: 9 },
      placeOrder: { petId: 1, quantity: 1 },
      getOrder: { orderId: 1 },
      getOrderHistory: { orderId: 1 },
      cancelOrder: { orderId: 2 },
      shipOrder: { orderId: 41 },
      deliverOrder: { orderId: '41' },
    };
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
    for (const [name, args] of Object.entries(calls)) {
      const { isError, value } = await call(name, args);
      const schema = tools.find((tool) => tool.name === name)?.outputSchema ?? {};
      expect([name, isError, strict.validate(schema as AnySchema, value), strict.errors]).toEqual([
        name,
        false,
        true,
        null,
      ]);
    }
  });

  it('responds to an unknown tool according to the protocol', async () => {
    const { key } = await service().openStore();
    const { status, text } = await service().request('POST /mcp', post(key, callOf('dropTables')));
    expect([status, text]).toEqual([200, expect.stringContaining('"error":{"code":-32602,')]);
  });

  it('can be called by a page of another origin', async () => {
    const { status, headers } = await service().request('OPTIONS /mcp', {
      headers: { origin: 'https://agent.example', 'access-control-request-method': 'POST' },
    });
    const allowed = (headers['access-control-allow-headers'] ?? '').toLowerCase().split(', ');
    expect(status).toBe(204);
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
      ]),
    );
  });

  it('takes an order through its states, exact to 64 bits, and reports errors as Error objects', async () => {
    const store = await service().openStore();
    await clientOf(service(), store)('POST /v2/sandbox/reset', { body: { dataSet: 'int64' } });
    await using session = await connect(service(), store.key);
    const { call } = session;
    const orderId = '9223372036854775807';
    expect((await call('getOrder', { orderId })).value).toMatchObject({ id: orderId });
    expect(await call('listOrders', { status: ['pending'], limit: 2, sort: '-id' })).toMatchObject({
      isError: false,
      value: { data: [{ status: 'pending' }, { status: 'pending' }], nextCursor: expect.any(String) },
    });

    const petId = '9007199254740993';
    await call('changePet', { petId, stock: 5 });
    const order = { petId, quantity: 2, idempotencyKey: 'once' };
    const placed = await call('placeOrder', order);
    expect(placed).toMatchObject({ isError: false, value: { petId, quantity: 2, status: 'pending' } });
    expect(await call('placeOrder', order)).toEqual(placed);
    expect((await call('getPet', { petId })).value).toMatchObject({ id: petId, stock: 3 });
    const { id } = placed.value;
    expect((await call('shipOrder', { orderId: id })).value).toMatchObject({ status: 'shipped' });
    expect(await call('cancelOrder', { orderId: id })).toMatchObject({
      isError: true,
      value: { code: 'order_already_shipped', status: 409 },
    });
    expect((await call('deliverOrder', { orderId: id })).value).toMatchObject({ complete: true });
    const other = await call('placeOrder', { petId, quantity: 1 });
    expect((await call('cancelOrder', { orderId: other.value.id })).isError).toBe(false);
    expect((await call('getOrderHistory', { orderId: other.value.id })).value).toMatchObject({
      data: [{ status: 'pending' }, { status: 'cancelled' }],
    });

    for (const [name, args, code] of [
      ['getOrder', { orderId: '777' }, 'not_found'],
      ['getOrder', { orderId: 2 ** 53 + 2 }, 'invalid_parameter'],
      ['getOrder', {}, 'invalid_parameter'],
      ['shipOrder', { orderId: '1', force: true }, 'invalid_parameter'],
      ['listOrders', { limit: 5000 }, 'invalid_parameter'],
      ['placeOrder', { petId: '1', quantity: 1.5 }, 'invalid_body'],
      ['placeOrder', { petId: '5', quantity: 1 }, 'unknown_pet'],
      ['getOrder', { orderId: 1.5 }, 'invalid_parameter'],
      ['placeOrder', { petId: 2 ** 53, quantity: 1 }, 'invalid_parameter'],
      ['placeOrder', { petId: 5, quantity: 1 }, 'unknown_pet'],
    ] as const)
      expect([name, await call(name, args)]).toMatchObject([name, { isError: true, value: { code } }]);
  });

  it('503, not an internal error: a change overtaken by a reset', async () => {
    let meanwhile = async () => {};
    const wrap = <Db extends Connection>(db: Db): Db => ({
      ...db,
      async all(query, params) {
        const rows = await db.all(query, params);
        // Not after a read of a background job, which may come before the request is authenticated.
        if (rows.some((row) => Object.hasOwn(row as object, 'keyId'))) await meanwhile();
        return rows;
      },
    });
    await using own = await startService(engine, { deployment: 'staging', wrap, now: () => 0 });
    const { key, storeId } = await own.openStore();
    meanwhile = () => own.database.exec(`UPDATE stores SET closed_at = 1 WHERE id = ${storeId}`);
    const response = await own.request('POST /mcp', post(key, callOf('cancelOrder', { orderId: '2' })));
    expect(response.text).toContain('unavailable');
    expect(own.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('rejects ambiguous arguments: a missing text, or one ID in place of another', async () => {
    await using session = await connect(service(), (await service().openStore()).key);
    const { call } = session;
    const order = { petId: '1', quantity: 1 };
    const rejected = [
      ['placeOrder', { ...order, idempotencyKey: null }],
      ['placeOrder', { ...order, idempotencyKey: 5 }],
      ['placeOrder', { ...order, petId: '001' }],
      ['placeOrder', { ...order, petId: '9999999999999999999' }],
      ['placeOrder', { ...order, petId: null }],
      ['placeOrder', { ...order, petId: ['1'] }],
      ['getPet', { petId: '01' }],
      ['listOrders', { petId: '9999999999999999999' }],
      ['listPets', { category: ['dog', 'cat'] }],
      ['listOrders', { cursor: null }],
    ] as const;
    for (const [name, args] of rejected)
      expect([name, args, await call(name, args)]).toMatchObject([
        name,
        args,
        { isError: true, value: { code: 'invalid_parameter', status: 400 } },
      ]);
    const placed = await call('placeOrder', order);
    expect(placed).toMatchObject({ isError: false, value: { id: '41', petId: '1' } });
  });

  it('passes through every guard: key, scope, limits, and the inspector', async () => {
    const { request, deployment } = service();
    const store = await service().openStore();
    expect((await request('POST /mcp')).json()).toMatchObject({ code: 'missing_api_key', status: 401n });
    expect((await request('GET /mcp')).status).toBe(401);
    const got = await request('GET /mcp', { key: store.key });
    expect([got.status, got.headers.allow]).toEqual([405, 'POST']);
    expect((await request('POST /mcp/', { key: store.key })).status).toBe(404);
    const large = post(store.key, JSON.stringify({ text: 'x'.repeat(70_000) }));
    expect((await request('POST /mcp', large)).json()).toMatchObject({ code: 'payload_too_large' });
    const batch = post(store.key, `[${callOf('listPets')},${callOf('listPets')}]`);
    expect((await request('POST /mcp', batch)).json()).toMatchObject({ code: 'invalid_body' });
    const empty = await request('POST /mcp', { key: store.key });
    expect(empty.json()).toMatchObject({ code: 'invalid_body', status: 400n });
    expect((await request('POST /mcp', post(store.key, '{"id":1,"id":2}'))).status).toBe(400);

    const listen = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} });
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const rejected = await request('POST /mcp', post(store.key, listen, modern));
    expect(rejected.json()).toMatchObject({ code: 'invalid_body', status: 400n });

    let inspected = '';
    while (!inspected.includes('"path":"/mcp"'))
      inspected = (await request('GET /v2/store/requests', { key: store.key })).text;

    const { key, details } = newKey('staging', 'reader', null, 'read');
    await deployment.writer.apply(createKey, { storeId: store.storeId, key: details, at: 1n, maxKeys: 100n });
    await using reader = await connect(service(), key);
    expect((await reader.call('listPets', { limit: 1 })).isError).toBe(false);
    expect(await reader.call('cancelOrder', { orderId: '2' })).toMatchObject({
      isError: true,
      value: { code: 'forbidden', status: 403 },
    });
    const seen = await service().request('GET /v2/store/orders/2', { key });
    expect(seen.json()).toMatchObject({ status: 'pending' });
  });
});

it('tool calls count against the store’s limit', async () => {
  const begun = Date.now();
  await using service = await startService(sqlite, { rateLimit: 2, now: () => begun });
  const { key } = await service.openStore();
  const statuses = [];
  for (let i = 0; i < 3; i++)
    statuses.push((await service.request('POST /mcp', post(key, callOf('listPets')))).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it('llms.txt links to every document', async () => {
  await using service = await startService(sqlite);
  const { status, text, headers } = await service.request('GET /llms.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Pet Store Service\n/);
  const paths = [...text.matchAll(/\(http:\/\/127\.0\.0\.1(\/[^)]*)\)/g)].map(([, path]) => String(path));
  expect(paths).toContain('/mcp');
  for (const path of paths) expect([path, (await service.request(`GET ${path}`)).status]).not.toContain(404);
});

it('llms.txt alone is enough to get a key, place an order and cancel it', async () => {
  await using service = await startService(sqlite);
  using folder = temporaryFolder();
  const { text } = await service.request('GET /llms.txt');
  const [signUp = '', order = ''] = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) =>
    commands
      ?.replaceAll('http://127.0.0.1/', `${service.origin}/`)
      .replaceAll("http://127.0.0.1'", `${service.origin}'`),
  );
  const run = (commands: string, env = {}) =>
    execFile('sh', ['-ec', commands], { cwd: folder.path, env: { ...process.env, ...env } });
  const { stdout: session } = await run(signUp.replace('A LONG PASSWORD', 'seven bright umbrellas'));
  const PETSTORE_KEY = /"firstKey":\{[^}]*"key":"(pst_live_\w+)"/.exec(session)?.[1];
  const { stdout } = await run(order.replace(/ID /, '41 '), { PETSTORE_KEY });
  expect(stdout).toContain('{"id":41,"petId":1,"quantity":1,');
  expect(stdout).toMatch(/204\n$/);
});

it('AGENTS.md names every protocol version', () => {
  const page = readFileSync(new URL('../../../docs/AGENTS.md', import.meta.url), 'utf8');
  const [, versions = ''] = /^\| protocol versions \| (.*) \|$/m.exec(page) ?? [];
  expect(versions.match(/\d{4}-\d\d-\d\d/g)).toEqual(['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]);
});
