import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { type V2Services, v2Document } from '../api/v2-document.ts';
import { ApiError, describeError } from '../http/errors.ts';
import type { Answer, Request } from '../http/server/request.ts';
import { callTool } from './call-tool.ts';
import { tools } from './tools.ts';

export interface McpOptions {
  readonly services: V2Services;
  readonly log: Logger;
}

const instructions =
  'One pet store: its pets and its orders. Ids are texts of digits, exact to 64 bits. An order goes from pending to shipped to delivered, or from pending to cancelled. Give placeOrder an idempotencyKey, and placing again with it makes no second order.';

const shownTools = tools.map(({ shown }) => shown as never);

export function openMcp({ services, log }: McpOptions): (request: Request) => Promise<Answer> {
  // Each request has a server of its own, which knows who is asking.
  const { fetch: respond } = createMcpHandler(
    ({ authInfo }) => {
      const request = authInfo?.extra?.request as Request;
      const { title, version } = v2Document.info;
      const server = new Server({ name: title, version }, { capabilities: { tools: {} }, instructions });
      server.setRequestHandler('tools/list', async () => ({ tools: shownTools }));
      server.setRequestHandler('tools/call', async ({ params }) => {
        const tool = tools.find(({ shown }) => shown.name === params.name);
        if (!tool)
          throw new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            `Unknown tool: ${params.name.slice(0, 100)}`,
          );
        try {
          const value = await callTool(request, tool, params.arguments ?? {}, services);
          return { content: asText(value), structuredContent: value };
        } catch (error) {
          const body = describeError(error);
          if (body.status >= 500) log.error({ id: request.id, err: error }, body.code);
          // An Error is not what the tool's schema promises: it comes as text alone.
          return { content: asText(body), isError: true };
        }
      });
      return server;
    },
    { maxSubscriptions: 0 },
  );
  return async (request) => {
    const asked = new globalThis.Request('http://localhost/mcp', {
      method: 'POST',
      headers: headersFor(request),
    });
    const answer = await respond(asked, {
      parsedBody: JSON.parse(String(request.bodyBytes)),
      authInfo: { token: '', clientId: '', scopes: [], extra: { request } },
    });
    if (answer.status >= 400) throw await refusal(answer);
    const type = answer.headers.get('content-type');
    return {
      status: answer.status,
      headers: type === null ? [] : ['content-type', type],
      body: await answer.text(),
    };
  };
}

async function refusal(answer: Response): Promise<Error> {
  const { error } = (await answer.json()) as { error?: { message?: string } };
  if (answer.status >= 500) return new Error(`the protocol ended with ${answer.status}: ${error?.message}`);
  return new ApiError(
    'invalid_body',
    `The message is not one of the protocol: ${error?.message?.slice(0, 300)}`,
  );
}

/** Who accepts anything accepts both forms of an answer. */
function headersFor({ headers }: Request): Headers {
  const own = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  const passed = new Headers(own.map(([name, value]): [string, string] => [name, String(value)]));
  if (/^(\*\/\*)?$/.test(headers.accept ?? '')) passed.set('accept', 'application/json, text/event-stream');
  return passed;
}

function asText(value: object) {
  return [{ type: 'text' as const, text: JSON.stringify(value) }];
}
