import { createInterface } from 'node:readline';
import { wasNeverSent } from '../../../client/src/exchange.ts';
import { connectionOf } from '../connection.ts';
import { endsWithReader, print } from '../output.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** `/mcp` for clients that start a program: each line of standard input is a message, each line of output an answer. */
export const serveTools = endsWithReader(async (call) => {
  const { origin, baseUrl, key } = connectionOf(call);
  const send = async (line: string): Promise<string[]> => {
    const message = messageOf(line);
    if (message === undefined) return [failure(null, -32700, 'A line must be one message, as JSON.')];
    if (!isObject(message))
      return [failure(null, -32600, 'A message is one JSON object; several are refused.')];
    const headers = { ...headersFor(message), authorization: `Bearer ${key}` };
    try {
      const answer = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: line });
      const text = await answer.text();
      return answer.ok ? messagesIn(text) : refusal(message, text);
    } catch (error) {
      const why = wasNeverSent(error)
        ? `There is no service at ${baseUrl}: start one with petstore serve.`
        : 'The answer was lost: the call may have been carried out all the same.';
      return refusal(message, why);
    }
  };
  for await (const line of createInterface({ input: call.stdin })) {
    if (line.trim() === '') continue;
    for (const answer of await send(line)) await print(`${answer}\n`, call);
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

/** Those of the protocol, which newer clients also write into the message. */
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

/** An answer is one message, or a stream of them that has ended. A notification has none. */
function messagesIn(text: string): string[] {
  if (text.startsWith('{')) return [text];
  return text.split('\n').flatMap((line) => /^data: *(.+)$/.exec(line)?.[1] ?? []);
}

/** What has no id is a notification, which nobody waits for. */
function refusal({ id }: Message, message: string): string[] {
  return id === undefined ? [] : [failure(id, -32000, message)];
}

function failure(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
