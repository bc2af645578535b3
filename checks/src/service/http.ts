import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { Mismatch } from './mismatch.ts';

export type Response = {
  request: string;
  status: number;
  /** Names in lower case; a header that came twice is joined with a comma. */
  headers: Record<string, string>;
  body: Buffer;
  text: string;
};

export type Call = {
  method?: string;
  /** Sent as it stands: nothing is escaped or normalised on the way. */
  path: string;
  /** Stands before the path instead of the prefix of the base address. */
  prefix?: string;
  /** The suite's own key unless given; `null` sends no Authorization header. */
  key?: string | null;
  headers?: Record<string, string>;
  body?: string;
  /** Whether a failure is asked for, which says nothing of the service: the answer is not kept. */
  isRehearsal?: boolean;
};

export type Client = {
  readonly base: URL;
  readonly key: string;
  /** What stands before the paths of version 2, as the prefix of the base address does before those of version 1. */
  readonly v2: string;
  /** Every answer of the run, for the checks that speak about all of them. */
  readonly responses: Response[];
  send(call: Call): Promise<Response>;
  /** Writes bytes that an HTTP library would refuse to write, and returns what came back. */
  sendBytes(bytes: string, name: string): Promise<Response>;
  /** The text of a plain request, to be changed and sent as bytes. */
  requestText(call: Call): string;
};

const timeoutMs = 30_000;

export function createClient(base: string, key: string): Client {
  const url = new URL(base);
  const prefix = url.pathname.replace(/\/+$/, '');
  const responses: Response[] = [];

  const headersOf = (call: Call): Record<string, string> => {
    const token = call.key === undefined ? key : call.key;
    return { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...call.headers };
  };

  const keep = (response: Response): Response => {
    responses.push(response);
    const violations = response.headers['sl-violations'];
    if (violations) throw new Mismatch('no violation of the document', violations, response.request);
    return response;
  };

  return {
    base: url,
    key,
    v2: `${prefix.replace(/\/v1$/, '')}/v2`,
    responses,
    async send(call) {
      const method = call.method ?? 'GET';
      const headers = headersOf(call);
      if (call.body !== undefined && !('Transfer-Encoding' in headers)) {
        headers['Content-Length'] = String(Buffer.byteLength(call.body));
      }
      const path = (call.prefix ?? prefix) + call.path;
      const response = await exchange(url, { method, path, headers }, call);
      return call.isRehearsal ? response : keep(response);
    },
    async sendBytes(bytes, name) {
      return keep(await exchangeBytes(url, Buffer.from(bytes, 'latin1'), name));
    },
    requestText(call) {
      const lines = Object.entries({ Host: url.host, Connection: 'close', ...headersOf(call) });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return `${call.method ?? 'GET'} ${prefix}${call.path} HTTP/1.1\r\n${head}\r\n${call.body ?? ''}`;
    },
  };
}

function exchange(base: URL, options: http.RequestOptions, call: Call): Promise<Response> {
  const { request: open } = base.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const request = open(base, { ...options, agent: false, timeout: timeoutMs }, (incoming) => {
      const chunks: Buffer[] = [];
      const finish = () => {
        const body = Buffer.concat(chunks);
        resolve({
          request: nameOf(call),
          status: incoming.statusCode ?? 0,
          headers: joinHeaders(incoming.rawHeaders),
          body,
          text: body.toString('utf8'),
        });
      };
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', finish);
      // A stream has no end: whoever did not ask for one has seen enough.
      if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
        finish();
        request.destroy();
      }
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
    request.on('error', reject);
    request.end(call.body);
  });
}

/** A request as a report may show it: told apart by what the check added to it. */
function nameOf({ method = 'GET', prefix = '', path: rest, headers = {} }: Call): string {
  const path = prefix + rest;
  const short = path.length > 60 ? `${path.slice(0, 60)}… (${path.length} characters)` : path;
  const added = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 60)}`);
  return `${method} ${short}${added.length > 0 ? ` with ${added.join(', ')}` : ''}`;
}

/** Resolves with whatever arrived before the connection ended, also when it ended in a reset. */
function exchangeBytes(base: URL, bytes: Buffer, name: string): Promise<Response> {
  const secure = base.protocol === 'https:';
  const port = Number(base.port) || (secure ? 443 : 80);
  const host = base.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = secure ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
    const chunks: Buffer[] = [];
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(parseResponse(Buffer.concat(chunks), name)));
    socket.write(bytes);
  });
}

function parseResponse(received: Buffer, request: string): Response {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n');
  const raw = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const headers = joinHeaders(raw);
  const rest = received.subarray(end < 0 ? 0 : end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? joinChunks(rest) : rest;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
  return { request, status, headers, body, text: body.toString('utf8') };
}

function joinChunks(framed: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < framed.length; ) {
    const lineEnd = framed.indexOf('\r\n', at);
    const size = Number.parseInt(framed.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    chunks.push(framed.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

function joinHeaders(raw: string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
