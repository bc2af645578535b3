import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { main } from '../support/program.ts';
import { useService } from '../support/service.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const service = useService(sqlite, { deployment: 'staging' });

/** The official client, connected to `petstore mcp`. */
async function connect(env: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

it('petstore mcp has the service’s tools, exact to 64 bits', async () => {
  const { key } = await service().openStore();
  await service().request('POST /v2/sandbox/reset', {
    key,
    headers: { 'content-type': 'application/json' },
    body: '{"dataSet":"int64"}',
  });
  await using session = await connect({ PETSTORE_URL: `${service().origin}/v1`, PETSTORE_KEY: key });
  const { client } = session;
  expect(client.getServerVersion()).toMatchObject({ name: expect.stringContaining('Pet Store') });
  expect(client.getInstructions()).toContain('idempotencyKey');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('placeOrder');
  const orderId = '9007199254740993';
  const { structuredContent } = await client.callTool({ name: 'getOrder', arguments: { orderId } });
  expect(structuredContent).toMatchObject({ id: orderId });
  await expect(client.callTool({ name: 'dropTables', arguments: {} })).rejects.toMatchObject({
    code: -32602,
  });
});

it('petstore mcp reports errors according to the protocol', async () => {
  const { key } = await service().openStore();
  const rejected = connect({ PETSTORE_URL: service().origin, PETSTORE_KEY: key.replace(/.$/, '_') });
  await expect(rejected).rejects.toThrow('invalid_api_key');
  const noAccount = connect({ PETSTORE_URL: `http://127.0.0.1:${await freePort()}`, PETSTORE_KEY: key });
  await expect(noAccount).rejects.toThrow('petstore serve');
  const input = 'nonsense\n\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n[]\n"x"\n';
  const env = { PETSTORE_URL: service().origin, PETSTORE_KEY: key };
  const { code, stdout } = await runCommand(['mcp'], { env, input });
  const responses = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, responses]).toMatchObject([
    0,
    [-32700, -32600, -32600].map((error) => ({ id: null, error: { code: error } })),
  ]);
});

it('petstore mcp reports a lost response as a call that may have taken effect', async () => {
  const { key } = await service().openStore();
  await using losing = await startTcpProxy(service().port, ({ client, upstream, cut }) => {
    client.pipe(upstream);
    upstream.once('data', cut);
  });
  const env = { PETSTORE_URL: `http://127.0.0.1:${losing.port}`, PETSTORE_KEY: key };
  const params = { name: 'placeOrder', arguments: { petId: '1', quantity: 1 } };
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })}\n`;
  const { stdout } = await runCommand(['mcp'], { env, input });
  expect(JSON.parse(stdout)).toMatchObject({
    id: 7,
    error: { message: expect.stringContaining('may have taken effect') },
  });
  expect(await service().request('GET /v2/store/orders/41', { key })).toMatchObject({ status: 200 });
});
