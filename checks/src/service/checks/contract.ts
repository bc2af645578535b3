import { Inconclusive, type Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { at, type Json, serversOf } from '../document.ts';
import { ensure, equal, expectStatus, headerOf } from '../expect.ts';

const documentedResponses = {
  'get /store/orders': ['200', '401'],
  'delete /store/orders/{orderId}': ['204', '401', '404', '409'],
  'get /pets': ['200', '401'],
  'get /pets/{petId}': ['200', '401', '404'],
};
const operationIds = {
  'get /store/orders': 'listOrders',
  'delete /store/orders/{orderId}': 'cancelOrder',
  'get /pets': 'listPets',
  'get /pets/{petId}': 'getPet',
};

export function contractChecks(suite: Suite, { client, document }: Context): void {
  const { check } = suite.section('v1.document', 'Decisions: the published document');
  check('json', '`/openapi.json` is served without a key, as JSON', async () => {
    const response = await client.send({ path: '/openapi.json', key: null });
    expectStatus(response, 200);
    ensure(
      /json/.test(headerOf(response, 'Content-Type')),
      'a JSON content type',
      response.headers['content-type'],
    );
    await document.read();
  });
  check('yaml', '`/openapi.yaml` is served without a key, as YAML', async () => {
    const response = await client.send({ path: '/openapi.yaml', key: null });
    expectStatus(response, 200);
    ensure(
      /yaml/.test(headerOf(response, 'Content-Type')),
      'a YAML content type',
      response.headers['content-type'],
    );
    ensure(/^openapi:\s*['"]?3\.1/m.test(response.text), 'openapi: 3.1', response.text);
    ensure(/^\s+version:\s*['"]?1\.0\.0\b/m.test(response.text), 'version: 1.0.0', response.text);
  });
  check('openapi', 'the document is OpenAPI 3.1', async () => {
    const { openapi } = await document.read();
    ensure(/^3\.1\.\d+$/.test(String(openapi)), '3.1', openapi);
  });
  check('operations', 'it lists the four operations of v1, and nothing else', async () => {
    equal(
      [...(await document.operations()).keys()].sort(),
      Object.keys(operationIds).sort(),
      'the operations',
    );
  });
  for (const [operation, id] of Object.entries(operationIds)) {
    check(`operation-id.${id}`, `\`${operation}\` has the operationId \`${id}\``, async () => {
      equal((await document.operations()).get(operation)?.operationId, id, 'operationId');
    });
  }
  check('answers', 'it documents every response in the specification’s tables', async () => {
    const found = await document.operations();
    for (const [operation, statuses] of Object.entries(documentedResponses)) {
      const documented = Object.keys(at(found.get(operation), 'responses'));
      ensure(
        statuses.every((status) => documented.includes(status)),
        `${operation}: ${statuses.join(', ')}`,
        documented,
      );
    }
  });
  check('servers', 'it names both servers, production and staging, and both end in `/v1`', async () => {
    const servers = serversOf(await document.read());
    for (const server of servers) ensure(server.endsWith('/v1'), 'an address that ends in /v1', server);
    // Behind an unannounced proxy, a service cannot know the other deployment's address.
    if (servers.length === 1) throw new Inconclusive('it knows only one deployment');
    equal(new Set(servers).size, 2, 'the number of different servers:');
  });
  check('bearer', 'it requires HTTP bearer authentication', async () => {
    const schemes = Object.values(at(await document.read(), 'components', 'securitySchemes')) as Json[];
    const bearer = schemes.some(({ type, scheme }) => type === 'http' && scheme === 'bearer');
    ensure(bearer, 'a bearer scheme', schemes);
  });
  check(
    'order',
    'Order: “No field is marked required”, and the types and formats are those of the table',
    async () => {
      const order = at(await document.read(), 'components', 'schemas', 'Order');
      equal(order.required ?? [], [], 'the required fields');
      const types = Object.entries(at(order, 'properties')).map(([name, schema]) => {
        const { type, format } = schema as Json;
        return name === 'quantity' ? `${name} ${type}` : [name, type, format].filter(Boolean).join(' ');
      });
      const table = [
        'id integer int64',
        'petId integer int64',
        'quantity integer',
        'shipDate string date-time',
      ];
      equal(types, [...table, 'complete boolean'], 'the fields');
    },
  );
  check('error', 'Error: “All three fields are required”', async () => {
    const error = at(await document.read(), 'components', 'schemas', 'Error');
    equal(
      [...((error.required ?? []) as string[])].sort(),
      ['code', 'message', 'status'],
      'the required fields',
    );
  });
}
