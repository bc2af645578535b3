import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';
import { parseExact } from '../../../checks/src/service/json.ts';
import { checkAgainstContract, type Seen } from './contract.ts';

export interface Response extends Seen {
  readonly bytes: Buffer;
  /** The body with every integer as an exact bigint. */
  json<T = unknown>(): T;
}

interface Sent {
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends `GET /v1/pets` and the like; every response is validated against the document. */
export type Requester = (request: string, sent?: Sent) => Promise<Response>;

export function requester(port: number, agent: Agent): Requester {
  return async (request, { key, headers, body } = {}) => {
    const space = request.indexOf(' ');
    const method = request.slice(0, space);
    const path = request.slice(space + 1);
    const all = withKey(headers, key);
    // Node's client sends the body of a GET or DELETE without its length.
    if (body !== undefined) all['content-length'] = String(Buffer.byteLength(body));
    const response = await exchange(port, agent, method, path, all, body);
    checkAgainstContract(method, path, response);
    return response;
  };
}

function withKey(headers: Record<string, string> = {}, key: string | undefined): Record<string, string> {
  return key === undefined ? { ...headers } : { authorization: `Bearer ${key}`, ...headers };
}

/** One raw request, and its response. */
export async function exchange(
  port: number,
  agent: Agent,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = send({ host: '127.0.0.1', port, agent, method, path, headers }, (res) => {
    const chunks: Buffer[] = [];
    res
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => resolve(responseOf(res.statusCode ?? 0, res.headers, Buffer.concat(chunks))))
      .on('error', reject);
  });
  request.on('error', reject).end(body);
  return promise;
}

function responseOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Response {
  const text = bytes.toString();
  return { status, headers, bytes, text, json: <T>() => parseExact(text) as T };
}

/** Writes raw bytes to the service, and reads until it closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<Response> {
  const socket = await openSocket(port);
  socket.write(bytes);
  return parseResponse(await readAll(socket));
}

export async function openSocket(port: number, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  await once(socket, 'connect');
  return socket;
}

export async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // A reset after the response is harmless.
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks);
}

/** One raw response. An error must be an Error object. */
export function parseResponse(wire: Buffer): Response {
  const end = wire.indexOf('\r\n\r\n');
  if (end === -1) throw new Error(`this is not an HTTP response: '${wire}'`);
  const [first = '', ...lines] = wire.subarray(0, end).toString().split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const response = responseOf(Number(first.split(' ')[1]), headers, wire.subarray(end + 4));
  if (response.status >= 400) checkAgainstContract('RAW', first, response);
  return response;
}

/** A response without the headers that differ for every request. */
export function essence({ status, headers, text }: Response) {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, text };
}
