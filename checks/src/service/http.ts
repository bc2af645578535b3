import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import tls from 'node:tls';
import { Inconclusive, once } from './check.ts';
import { Mismatch } from './mismatch.ts';

export type Response = {
  /** The request in short: `GET /store/orders`. */
  request: string;
  /** The whole request as sent, for reports. */
  requestText: string;
  responseHead: string;
  status: number;
  /** Lower-case names; repeated headers are joined with a comma. */
  headers: Record<string, string>;
  body: Buffer;
  text: string;
};

export type Call = {
  method?: string;
  /** Sent without escaping or normalization, except that `{petId}` becomes the id of a listed pet. */
  path: string;
  /** Replaces the prefix of the base address. */
  prefix?: string;
  /** The suite's key by default; `null` sends no Authorization header. */
  key?: string | null;
  headers?: Record<string, string>;
  body?: string;
  /** Leaves the response out of the checks of all responses: for injected faults, and calls outside the API. */
  isUnrecorded?: boolean;
};

export type Client = {
  readonly base: URL;
  readonly key: string;
  /** Prefix of the paths of version 2. */
  readonly v2: string;
  /** Every response of the run, for the checks of all responses. */
  readonly responses: Response[];
  send(call: Call): Promise<Response>;
  /** Sends raw bytes, which an HTTP library would not send, and returns the response. */
  sendBytes(bytes: string, name: string, options?: Pick<Call, 'isUnrecorded'>): Promise<Response>;
  /** A plain request as text, to modify and send as raw bytes. */
  requestText(call: Call): string;
  /** The path with `{petId}` replaced by the id of a listed pet. */
  pathOf(path: string): Promise<string>;
};

export type ClientOptions = {
  /** For each request. */
  timeoutMs?: number;
  /** Collects the responses of several clients in their order. */
  record?: Response[];
  /** Rejects every request that could change something, before it is sent. */
  isReadOnly?: boolean;
  /** Whether a violation that a validating proxy reports is a failure. */
  isValidated?: boolean;
  /** Whether to send a request again that was rejected with 429, after `Retry-After`. */
  waitsForQuota?: boolean;
};

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];
const MAX_WAITS = 5;
const MAX_WAIT_SECONDS = 60;

export function createClient(base: string, key: string, options: ClientOptions = {}): Client {
  const { timeoutMs = 30_000, isReadOnly = false, isValidated = false, waitsForQuota = false } = options;
  const url = new URL(base);
  const prefix = url.pathname.replace(/\/+$/, '');
  const responses: Response[] = [];

  const headersOf = (call: Call): Record<string, string> => {
    const token = call.key === undefined ? key : call.key;
    return { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...call.headers };
  };

  const throwIfReadOnly = (method: string) => {
    if (isReadOnly && !safeMethods.includes(method))
      throw new Inconclusive(`--read-only: it would send ${method}`);
  };
  const listedPet = once(async () => {
    const call = { path: '/pets' };
    const options = { path: `${prefix}/pets`, headers: headersOf(call), timeout: timeoutMs };
    const [, id] = /"id"\s*:\s*(\d+)/.exec((await exchange(url, options, call)).text) ?? [];
    if (id === undefined) throw new Inconclusive('the store has no pets');
    return id;
  });
  const pathOf = async (path: string) =>
    path.includes('{petId}') ? path.replace('{petId}', await listedPet()) : path;
  const record = (response: Response): Response => {
    responses.push(response);
    options.record?.push(response);
    const violations = response.headers['sl-violations'];
    if (isValidated && violations)
      throw new Mismatch('no violation of the document', violations, response.request);
    return response;
  };

  const retryAfter429 = async (send: () => Promise<Response>): Promise<Response> => {
    let response = await send();
    for (let waits = 0; waitsForQuota && response.status === 429 && waits < MAX_WAITS; waits += 1) {
      await pause(secondsOf(response.headers['retry-after']) * 1000);
      response = await send();
    }
    return response;
  };

  return {
    base: url,
    key,
    v2: `${prefix.replace(/\/v1$/, '')}/v2`,
    responses,
    pathOf,
    async send(given) {
      const call = { ...given, path: await pathOf(given.path) };
      const method = call.method ?? 'GET';
      const headers = headersOf(call);
      if (call.body !== undefined && !('Transfer-Encoding' in headers)) {
        headers['Content-Length'] = String(Buffer.byteLength(call.body));
      }
      const path = (call.prefix ?? prefix) + call.path;
      throwIfReadOnly(method);
      const send = () => exchange(url, { method, path, headers, timeout: timeoutMs }, call);
      const response = await retryAfter429(send);
      return call.isUnrecorded ? response : record(response);
    },
    async sendBytes(bytes, name, { isUnrecorded } = {}) {
      throwIfReadOnly(/^\w+/.exec(bytes)?.[0] ?? '');
      const message = Buffer.from(bytes, 'latin1');
      const response = await retryAfter429(() => exchangeBytes(url, message, name, timeoutMs));
      return isUnrecorded ? response : record(response);
    },
    requestText(call) {
      const headers = Object.entries({ Host: url.host, Connection: 'close', ...headersOf(call) });
      const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return `${call.method ?? 'GET'} ${prefix}${call.path} HTTP/1.1\r\n${head}\r\n${call.body ?? ''}`;
    },
  };
}

/** The wait that `Retry-After` asks for, as a number of seconds or an HTTP date; 1 without the header. */
function secondsOf(retryAfter = ''): number {
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Math.min(Math.max(Number.isFinite(seconds) ? seconds : 1, 0.1), MAX_WAIT_SECONDS);
}

function exchange(base: URL, options: http.RequestOptions, call: Call): Promise<Response> {
  const { request: open } = base.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const request = open(base, { ...options, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      const finish = () => {
        const body = Buffer.concat(chunks);
        resolve({
          request: nameOf(call),
          requestText: messageOf(`${options.method} ${options.path} HTTP/1.1`, options.headers, call.body),
          responseHead: headOf(incoming),
          status: incoming.statusCode ?? 0,
          headers: joinHeaders(incoming.rawHeaders),
          body,
          text: body.toString('utf8'),
        });
      };
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', finish);
      // An event stream does not end, so its head is enough.
      if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
        finish();
        request.destroy();
      }
    });
    request.on('timeout', () =>
      request.destroy(new Error(`no response within ${Number(options.timeout) / 1000} s`)),
    );
    request.on('error', reject);
    request.end(call.body);
  });
}

/** A request as reports show it, with the headers that the check added. */
function nameOf({ method = 'GET', prefix = '', path: rest, headers = {} }: Call): string {
  const path = prefix + rest;
  const short = path.length > 60 ? `${path.slice(0, 60)}… (${path.length} characters)` : path;
  const added = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 60)}`);
  return `${method} ${short}${added.length > 0 ? ` with ${added.join(', ')}` : ''}`;
}

/** Resolves with the bytes received before the connection ended or was reset. */
function exchangeBytes(base: URL, bytes: Buffer, name: string, timeoutMs: number): Promise<Response> {
  const secure = base.protocol === 'https:';
  const port = Number(base.port) || (secure ? 443 : 80);
  const host = base.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = secure ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
    const chunks: Buffer[] = [];
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    const requestText = bytes.toString('latin1');
    socket.on('close', () => resolve(parseResponse(Buffer.concat(chunks), name, requestText)));
    socket.write(bytes);
  });
}

function parseResponse(received: Buffer, request: string, requestText: string): Response {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n');
  const raw = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const headers = joinHeaders(raw);
  const rest = received.subarray(end < 0 ? 0 : end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? joinChunks(rest) : rest;
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0);
  const responseHead = [statusLine, ...lines].join('\n');
  return { request, requestText, responseHead, status, headers, body, text: body.toString('utf8') };
}

function messageOf(startLine: string, headers: http.RequestOptions['headers'], body = ''): string {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return `${[startLine, ...lines].join('\n')}\n\n${body}`;
}

function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: http.IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${rawHeaders[at + 1]}` : []));
  return [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, ...lines].join('\n');
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
