import { createInterface } from 'node:readline';
import { wasNeverSent } from '../../../client/src/exchange.ts';
import { connectionOf } from '../connection.ts';
import { exitWhenReaderCloses, print } from '../output.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** stdio transport of MCP: forwards each input line to `/mcp` and prints the responses, one per line. */
export const serveTools = exitWhenReaderCloses(async (call) => {
  const { origin, baseUrl, key } = connectionOf(call);
  const send = async (line: string): Promise<string[]> => {
    const message = messageOf(line);
    if (message === undefined) return [failure(null, -32700, 'Each line must be one JSON message.')];
    if (!isObject(message))
      return [failure(null, -32600, 'A message must be one JSON object; batches are not supported.')];
    const headers = { ...headersFor(message), authorization: `Bearer ${key}` };
    try {
      const response = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: line });
      const text = await response.text();
      return response.ok ? messagesIn(text) : errorFor(message, text);
    } catch (error) {
      const why = wasNeverSent(error)
        ? `No service at ${baseUrl}. Start one with petstore serve.`
        : 'The response was lost; the call may have taken effect.';
      return errorFor(message, why);
    }
  };
  for await (const line of createInterface({ input: call.stdin })) {
    if (line.trim() === '') continue;
    for (const response of await send(line)) await print(`${response}\n`, call);
  }
});

function messageOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** HTTP headers of the protocol. Newer clients put their values inside the message. */
function headersFor({ method, params }: Message): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (typeof version !== 'string' || method === undefined) return headers;
  const name = typeof params?.name === 'string' ? { 'mcp-name': params.name } : {};
  return { ...headers, 'mcp-protocol-version': version, 'mcp-method': method, ...name };
}

/** A response is one message, or a finished event stream of them. Notifications have none. */
function messagesIn(text: string): string[] {
  if (text.startsWith('{')) return [text];
  return text.split('\n').flatMap((line) => /^data: *(.+)$/.exec(line)?.[1] ?? []);
}

/** A message without an id is a notification and gets no response. */
function errorFor({ id }: Message, message: string): string[] {
  return id === undefined ? [] : [failure(id, -32000, message)];
}

function failure(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
