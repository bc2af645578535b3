import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { ATTACKER, MAX_MS } from './scene.ts';

/** Up to 256 connections, so that requests of an attacker do not wait for each other. */
const agent = new Agent({ keepAlive: true, maxSockets: 256, localAddress: ATTACKER });

export interface Attempt {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | undefined;
}

export interface AttemptResult {
  /** 0 if the connection broke or time was up. */
  readonly status: number;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly milliseconds: number;
}

/** One request of an attacker. */
export function attempt(
  origin: string,
  path: string,
  { method = 'GET', key, headers = {}, body }: Attempt = {},
): Promise<AttemptResult> {
  const from = performance.now();
  return new Promise((resolve) => {
    let text = '';
    const end = (status: number, headers: AttemptResult['headers'] = {}) =>
      resolve({ status, body: text, headers, milliseconds: performance.now() - from });
    const sent = request(
      origin + path,
      {
        agent,
        method,
        signal: AbortSignal.timeout(MAX_MS),
        headers: {
          ...(path.startsWith('/console/api') && { origin }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => end(response.statusCode ?? 0, response.headers)).on('error', () => end(0));
      },
    );
    sent.on('error', () => end(0)).end(body);
  });
}

/** How often each status occurred, such as `60 × 200, 440 × 429`. */
export function countStatuses(statuses: readonly number[]): string {
  const groups = Map.groupBy(statuses, (status) => status);
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([status, all]) => `${all.length} × ${status || 'none'}`)
    .join(', ');
}

/** The head of a request. */
export function head(origin: string, line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, `Host: ${new URL(origin).host}`, ...headers, '', ''].join('\r\n');
}

/** Opens a connection and sends the bytes. It reads nothing until the scene resumes it. */
export async function openUnreadSocket(origin: string, bytes: string | Buffer): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
  socket.pause().on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  if (socket.writable) socket.write(bytes);
  return socket;
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Sends `requests` requests from parallel clients. Each client waits for a response before its next request; none is sent after `MAX_MS`. */
export async function runClients<T>(
  clients: number,
  requests: number,
  sendRequest: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const until = performance.now() + MAX_MS;
  let next = 0;
  const client = async () => {
    while (next < requests && performance.now() < until) results.push(await sendRequest(next++));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return results;
}
