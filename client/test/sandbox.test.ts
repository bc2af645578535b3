import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createClient } from '../src/index.ts';

it('the sandbox is asked as it is documented', async () => {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${body}`);
    if (request.method === 'DELETE') response.writeHead(204).end();
    else if (request.url === '/v2/sandbox/faults')
      response.end('[{"operation":"*","fault":"drop","fired":1}]');
    else response.end('{"dataSet":"int64","seed":9223372036854775807,"orders":9,"pets":9,"revision":18}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { sandbox } = createClient({ baseUrl: `http://127.0.0.1:${port}/v2/`, key: 'pst_test_a' });
  const reset = await sandbox.reset({ dataSet: 'int64', seed: 2n ** 63n - 1n });
  expect(reset).toEqual({ dataSet: 'int64', seed: 2n ** 63n - 1n, orders: 9, pets: 9, revision: 18n });
  const rule = { operation: 'v1.cancelOrder', fault: 'delay', parameters: { ms: 5 }, times: null } as const;
  expect(await sandbox.setFaults([rule])).toMatchObject([{ fired: 1 }]);
  expect(await sandbox.faults()).toMatchObject([{ fault: 'drop' }]);
  expect(await sandbox.clearFaults()).toBeUndefined();
  expect(seen).toEqual([
    'POST /v2/sandbox/reset {"dataSet":"int64","seed":9223372036854775807}',
    'PUT /v2/sandbox/faults [{"operation":"v1.cancelOrder","fault":"delay","parameters":{"ms":5},"times":null}]',
    'GET /v2/sandbox/faults ',
    'DELETE /v2/sandbox/faults ',
  ]);
  server.closeAllConnections();
  server.close();
});
