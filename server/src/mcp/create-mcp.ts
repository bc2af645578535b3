import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { type V2Services, v2Document } from '../api/v2-document.ts';
import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import { parseInt64 } from '../http/encoding/int64.ts';
import { ApiError, describeAndLog } from '../http/errors.ts';
import { callerOf, rejectChangesByReadOnlyKeys } from '../http/guards/caller.ts';
import type { Request, Response } from '../http/server/request.ts';
import { rejectBeyondUnreadLimit } from '../http/server/send.ts';
import { ID_PATTERN, idNames, type Tool, tools } from './tools.ts';

const instructions =
  'The pets and orders of one pet store. Ids are strings of digits, exact to 64 bits. An order moves from pending to shipped to delivered, or from pending to cancelled. Call placeOrder with an idempotencyKey: a retry with the same key does not place a second order.';

/** Concurrent calls. */
const MAX_CALLS_PER_TENANT = 4;
const MAX_CALLS = 16;

const listedTools = tools.map(({ definition }) => definition as never);

export function createMcp(services: V2Services, log: Logger): (request: Request) => Promise<Response> {
  const calls = keyedSemaphore(MAX_CALLS_PER_TENANT, MAX_CALLS);
  // A server per request, so that its tools act as the request's caller.
  const { fetch: respond } = createMcpHandler(
    ({ authInfo }) => {
      const request = authInfo?.extra?.request as Request;
      const { title, version } = v2Document.info;
      const server = new Server({ name: title, version }, { capabilities: { tools: {} }, instructions });
      server.setRequestHandler('tools/list', async () => ({ tools: listedTools }));
      server.setRequestHandler('tools/call', async ({ params }) => {
        const tool = tools.find(({ definition }) => definition.name === params.name);
        const unknown = `Unknown tool: ${params.name.slice(0, 100)}`;
        if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknown);
        try {
          const toolRequest = requestFor(request, tool, params.arguments ?? {});
          rejectChangesByReadOnlyKeys(toolRequest);
          const { body = '{}' } = await tool.handle(toolRequest, services);
          const value: Record<string, unknown> = JSON.parse(String(body), idsAsText);
          return { content: asText(value), structuredContent: value };
        } catch (error) {
          const body = describeAndLog(error, request, log);
          // Text only: an Error does not match the tool's output schema.
          return { content: asText(body), isError: true };
        }
      });
      return server;
    },
    { maxSubscriptions: 0 },
  );
  return async (request) => {
    // Held until the response is built: serializing a result takes megabytes and milliseconds.
    const { tenantId } = callerOf(request);
    using _ = await calls.acquire(tenantId);
    rejectBeyondUnreadLimit(request);
    await yieldToEventLoop(tenantId);
    const mcpRequest = new globalThis.Request('http://localhost/mcp', {
      method: 'POST',
      headers: headersFor(request),
    });
    const response = await respond(mcpRequest, {
      parsedBody: JSON.parse(String(request.bodyBytes)),
      authInfo: { token: '', clientId: '', scopes: [], extra: { request } },
    });
    if (response.status >= 400) throw await protocolError(response);
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      headers: type === null ? [] : ['content-type', type],
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
}

async function protocolError(response: globalThis.Response): Promise<Error> {
  const { error } = (await response.json()) as { error?: { message?: string } };
  if (response.status >= 500)
    return new Error(`the MCP library responded ${response.status}: ${error?.message}`);
  return new ApiError('invalid_body', `Not a valid MCP message: ${error?.message?.slice(0, 300)}`);
}

/** MCP requires JSON and event streams in `Accept`; clients that accept anything accept both. */
function headersFor({ headers }: Request): Headers {
  const own = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  const passed = new Headers(own.map(([name, value]): [string, string] => [name, String(value)]));
  if (/^(\*\/\*)?$/.test(headers.accept ?? '')) passed.set('accept', 'application/json, text/event-stream');
  return passed;
}

function asText(value: object) {
  return [{ type: 'text' as const, text: JSON.stringify(value) }];
}

type Arguments = Readonly<Record<string, unknown>>;

/** The equivalent request to the operation. Its path stays `/mcp`: only response headers contain it, and tools return none. */
function requestFor(request: Request, { method, parameters }: Tool, given: Arguments): Request {
  const params: Record<string, string> = {};
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [name, sent] of Object.entries(given)) {
    const argument = parameters.get(name);
    if (!argument) throw invalid(name, `is unknown; this tool takes: ${[...parameters.keys()].join(', ')}`);
    const { place, schema } = argument;
    const isId = schema.pattern === ID_PATTERN;
    const value = isId ? parseId(sent) : toBigInt(sent);
    if (value === undefined)
      throw invalid(name, 'must be a 64-bit integer: a string of digits, or a number up to 2^53 - 1');
    if (!isId && schema.type === 'string' && typeof value !== 'string')
      throw invalid(name, 'must be a string');
    if (place === 'body') body[name] = value;
    else if (place === 'path') params[name] = String(value);
    else if (place === 'header') headers['idempotency-key'] = String(value);
    else query.set(name, [value].flat().join(','));
  }
  const missing = parameters
    .values()
    .find(({ name, isRequired }) => isRequired && !Object.hasOwn(given, name));
  if (missing) throw invalid(missing.name, 'is required');
  return { ...request, method, query: String(query), params, headers, body, responseHeaders: [] };
}

function invalid(name: string, problem: string): ApiError {
  return new ApiError('invalid_parameter', `The argument '${name.slice(0, 100)}' ${problem}.`);
}

/** Rejects unsafe integers: a rounded id would name another order or pet. */
function parseId(value: unknown): bigint | undefined {
  return typeof value === 'string' || Number.isSafeInteger(value) ? parseInt64(String(value)) : undefined;
}

/** Converts safe integers, as `parseJson` does; the fields of the operation validate other values. */
function toBigInt(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function idsAsText(name: string, value: unknown, context?: { source?: string }): unknown {
  return idNames.has(name) && typeof value === 'number' ? (context?.source ?? String(value)) : value;
}
