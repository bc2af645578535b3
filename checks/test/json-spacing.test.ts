import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createContext } from '../src/service/context.ts';
import { createClient } from '../src/service/http.ts';
import { buildSuite } from '../src/service/suite.ts';

const order = '{ "id" : 7, "petId" : 3, "quantity" : 1, "shipDate" : "2031-02-03", "complete" : false }';

it('finds ids in JSON that has spaces before its colons', async () => {
  const server = createServer((request, response) => {
    const text = request.url === '/v1/pets' ? '[ { "id" : 3 } ]' : `[ ${order} ]`;
    response.setHeader('Content-Type', 'application/json').end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const client = createClient(`http://127.0.0.1:${port}/v1`, 'none');
    const { checks } = buildSuite(createContext({ client }));
    await checks.find(({ id }) => id === 'v1.ids.digits-in-json')?.run();
    expect(await client.pathOf('/pets/{petId}')).toBe('/pets/3');
  } finally {
    server.close();
  }
});
