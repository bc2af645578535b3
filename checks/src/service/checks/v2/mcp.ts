import { Inconclusive, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { equal, expectError, expectStatus } from '../../expect.ts';
import { parseExact } from '../../json.ts';
import { type Fields, objectOf, pageOf } from '../../v2.ts';
import { operationsOf } from '../table/operations.ts';
import { sectionOf } from './section.ts';

interface ToolResult {
  readonly tools?: readonly {
    readonly name: string;
    readonly inputSchema?: { readonly properties?: Fields };
  }[];
  readonly structuredContent?: Fields;
  readonly content?: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** Sent as a number, which is not a double. */
const ROUNDED = '9007199254740993';

/** Ids are strings in tools, because many MCP clients parse JSON numbers as doubles. */
const withStringIds = (items: readonly Fields[]) =>
  items.map((item) => ({
    ...item,
    id: String(item.id),
    ...('petId' in item && { petId: String(item.petId) }),
  }));

/** The MCP tools, which call the operations on orders and pets. */
export function mcpChecks(suite: Suite, context: Context): void {
  const { client, v2 } = context;
  const { check } = sectionOf(suite, v2, 'mcp', 'MCP');
  const prefix = client.v2.replace(/\/v2$/, '');
  const call = async (method: string, params: object): Promise<ToolResult> => {
    const response = await fetch(new URL(`${prefix}/mcp`, client.base), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${client.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }).replace(`"${ROUNDED}"`, ROUNDED),
    });
    if (response.status === 404) throw new Inconclusive('the service has no MCP');
    equal(response.status, 200, 'status', `POST /mcp ${method}`);
    const text = await response.text();
    const message = parseExact(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result?: ToolResult };
    return message.result ?? {};
  };
  const callTool = (name: string, args: object) => call('tools/call', { name, arguments: args });

  check('tools', 'the tools are the operations of version 2 on orders and pets', async () => {
    const { tools = [] } = await call('tools/list', {});
    const expected = (await operationsOf(context)).filter(
      ({ prefix: version, method, path }) =>
        version === client.v2 && method !== 'QUERY' && /^\/(pets|store\/(orders|summary))/.test(path),
    );
    equal(tools.map(({ name }) => name).sort(), expected.map(({ id }) => id).sort(), 'the tools');
  });
  check('reads', 'a tool returns what its operation does, with ids as strings', async () => {
    const petId = await v2.newPet(9);
    const { id } = await v2.place(petId);
    await v2.place(petId);
    expectStatus(await v2.send('DELETE', `/store/orders/${id}`), 204);
    for (const status of ['pending', 'cancelled']) {
      const listed = pageOf(await v2.get(`/store/orders?petId=${petId}&status=${status}`)).data;
      const { structuredContent } = await callTool('listOrders', { petId: String(petId), status: [status] });
      equal(structuredContent?.data, withStringIds(listed), `the orders that are ${status}`, 'listOrders');
    }
    const pet = objectOf(await v2.get(`/pets/${petId}`));
    const { structuredContent } = await callTool('getPet', { petId: String(petId) });
    equal([structuredContent], withStringIds([pet]), 'the pet', 'getPet');
  });
  check(
    'rounded-ids',
    'an id sent as a number above 2^53 − 1 is rejected by every tool: it may have been rounded',
    async () => {
      const { tools = [] } = await call('tools/list', {});
      for (const { name, inputSchema } of tools)
        for (const field of Object.keys(inputSchema?.properties ?? {})) {
          if (!/Id$/.test(field)) continue;
          const result = await callTool(name, { quantity: 1, [field]: ROUNDED });
          const { code } = parseExact(result.content?.[0]?.text ?? '{}') as Fields;
          equal(
            [result.isError, /^invalid_/.test(String(code))],
            [true, true],
            `the rejection of ${field}`,
            name,
          );
        }
    },
  );
  check(
    'rejections',
    'a rejected call is a result with the Error; the key is checked first; GET is 405',
    async () => {
      const result = await callTool('getOrder', { orderId: '987654321' });
      const { code, status } = parseExact(result.content?.[0]?.text ?? '{}') as Fields;
      equal([result.isError, code, status], [true, 'not_found', 404n], 'the result', 'getOrder');
      expectError(await client.send({ prefix, path: '/mcp', key: null }), 401, 'missing_api_key');
      expectError(await client.send({ prefix, path: '/mcp' }), 405, 'method_not_allowed');
    },
  );
}
