import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient, TimeoutError } from '../src/index.ts';

let seen: Array<{ call: string; headers: IncomingHttpHeaders; body: string }> = [];
let isSilent = false;
const server = createServer(async (request, response) => {
  const body = (await Array.fromAsync(request)).join('');
  seen.push({ call: `${request.method} ${request.url}`, headers: request.headers, body });
  if (!isSilent) response.setHeader('content-type', 'application/json').end('{"id":9007199254740993}');
});

let baseUrl = '';
beforeEach(async () => {
  [seen, isSilent] = [[], false];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/v1`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

it('URL and key default to the environment', async () => {
  vi.stubEnv('PETSTORE_URL', baseUrl);
  vi.stubEnv('PETSTORE_KEY', 'pst_test_x');
  await createClient().pets.get(1);
  await createClient({ key: 'own' }).pets.get(1);
  expect(seen.map(({ call, headers }) => [call, headers.authorization])).toEqual([
    ['GET /shop/v2/pets/1', 'Bearer pst_test_x'],
    ['GET /shop/v2/pets/1', 'Bearer own'],
  ]);
  vi.stubEnv('PETSTORE_URL', undefined);
  expect(() => createClient()).toThrow('PETSTORE_URL');
  vi.stubEnv('PETSTORE_KEY', undefined);
  expect(() => createClient({ baseUrl })).toThrow('PETSTORE_KEY');
});

it('client headers are sent with every request, after its User-Agent and before a call’s headers', async () => {
  const client = createClient({
    baseUrl,
    key: 'k',
    headers: { 'X-Team': 'a', Authorization: 'Bearer other' },
  });
  await client.pets.get(1);
  await client.pets.get(1, { headers: { 'x-team': 'b', 'User-Agent': 'mine' } });
  expect(
    seen.map(({ headers }) => [headers['user-agent'], headers['x-team'], headers.authorization]),
  ).toEqual([
    ['petstore-client/1.0.0', 'a', 'Bearer k'],
    ['mine', 'b', 'Bearer k'],
  ]);
});

it('any path can be requested, returning the raw response', async () => {
  const client = createClient({ baseUrl, key: 'k' });
  const body = { id: 9007199254740993n };
  const call = client.request<{ id: bigint }>('POST', '/v2/any', { query: { a: 1 }, body });
  const { data, response } = await call.withResponse();
  expect(data.id).toBe(9007199254740993n);
  expect(response.raw).toBeInstanceOf(Response);
  expect(seen).toMatchObject([{ call: 'POST /shop/v2/any?a=1', body: '{"id":9007199254740993}' }]);
});

it('the timeout of an attempt can be set for one call', async () => {
  isSilent = true;
  const client = createClient({ baseUrl, key: 'k', tryTimeout: 600_000, timeout: 600_000 });
  await expect(client.pets.get(1, { tryTimeout: 1, retries: 0 })).rejects.toBeInstanceOf(TimeoutError);
});
