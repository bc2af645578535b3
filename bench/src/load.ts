import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Side } from './measure/compare.ts';
import { processorTime, startProcessorTimer } from './measure/processor-time.ts';

interface Request {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: string | undefined;
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** One request on its own connection. */
export function sendRequest(
  port: number,
  path: string,
  { method, body, ...given }: Request = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = createHeaders({ ...given, body });
    const sent = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      async (response) => {
        try {
          const { statusCode: status = 0, headers, rawHeaders } = response;
          resolve({ status, headers, rawHeaders, body: Buffer.concat(await response.toArray()) });
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.on('error', reject).end(body);
  });
}

function createHeaders({ key, headers, body }: Request): Record<string, string> {
  return {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  };
}

export function encodeRequest(path: string, { method = 'GET', ...given }: Request = {}): Buffer {
  const headers = Object.entries({ Host: '127.0.0.1', ...createHeaders(given) });
  const head = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${given.body ?? ''}`);
}

export const CONNECTIONS = 64;
/** A chunk may also contain megabytes of the body, which are not decoded. */
const MAX_HEAD_BYTES = 4096;
/** Polling interval of the processor time. */
const CHECK_MS = 5;

/**
 * A side under closed-loop load on 64 keep-alive connections: each sends its next request when the response to the last one arrives. A
 * response with an unexpected status aborts the benchmark.
 */
export async function openSide(
  name: string,
  { pid, port }: { pid: number; port: number },
  status: number,
  next: (connection: number) => Buffer,
): Promise<Side & Disposable> {
  const all = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port, status)));
  const sample = async (seconds: number) => {
    const isElapsed = startProcessorTimer(pid, seconds);
    let isOver = false;
    const timer = setInterval(() => {
      isOver = isElapsed();
    }, CHECK_MS);
    let count = 0;
    const drive = async (connection: Connection, index: number) => {
      for (; !isOver; count++) await connection.exchange(next(index));
    };
    await Promise.all(all.map(drive)).finally(() => {
      isOver = true;
      clearInterval(timer);
    });
    return count;
  };
  return {
    name,
    sample,
    processorTime: () => processorTime(pid),
    [Symbol.dispose]: () => all.map((connection) => connection.close()),
  };
}

/**
 * Minimal HTTP client: only finds where a response ends, so that it uses little processor time. Servers close connections that
 * were idle while the other side was measured; these are opened again.
 */
class Connection {
  readonly #port: number;
  readonly #status: number;
  #socket: Socket;
  /** Responses received on this socket. */
  #responses = 0;
  #request: Buffer = Buffer.alloc(0);
  #exchange: PromiseWithResolvers<void> | undefined;
  #head = '';
  /** Bytes of the body not received yet; -1 while reading the head. */
  #remaining = -1;

  private constructor(port: number, status: number) {
    this.#port = port;
    this.#status = status;
    this.#socket = this.#connect();
  }

  static async open(port: number, status: number): Promise<Connection> {
    const connection = new Connection(port, status);
    await once(connection.#socket, 'connect');
    return connection;
  }

  exchange(request: Buffer): Promise<void> {
    this.#exchange = Promise.withResolvers();
    this.#request = request;
    if (this.#socket.destroyed) this.#socket = this.#connect();
    this.#socket.write(request);
    return this.#exchange.promise;
  }

  close(): void {
    this.#exchange = undefined;
    this.#socket.destroy();
  }

  #connect(): Socket {
    this.#responses = 0;
    let reason = new Error('the server closed the connection');
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (data: Buffer) => this.#read(data));
    socket.on('error', (error) => {
      reason = error;
    });
    return socket.on('close', () => {
      if (socket === this.#socket) this.#retryOrReject(reason);
    });
  }

  /** A server may close an idle connection just as a request is sent: if no part of a response has arrived, it is sent again. */
  #retryOrReject(reason: Error): void {
    if (this.#exchange === undefined) return;
    const wasIdle = this.#responses > 0 && this.#head === '' && this.#remaining < 0;
    if (wasIdle) {
      this.#socket = this.#connect();
      this.#socket.write(this.#request);
    } else this.#exchange.reject(reason);
  }

  #read(data: Buffer): void {
    if (this.#remaining >= 0) this.#remaining -= data.length;
    else {
      const before = this.#head.length;
      this.#head += data.toString('latin1', 0, MAX_HEAD_BYTES);
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.#remaining = this.#readHead(this.#head.slice(0, end + 2)) - (before + data.length - (end + 4));
      this.#head = '';
    }
    if (this.#remaining > 0) return;
    this.#remaining = -1;
    this.#responses++;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.resolve();
  }

  /** Rejects on an unexpected status; returns the length of the body. */
  #readHead(head: string): number {
    const status = Number(head.slice(9, 12));
    if (status !== this.#status) this.#exchange?.reject(new Error(`unexpected response:\n${head}`));
    if (status === 204 || status === 304) return 0;
    const [, length] = /\r\ncontent-length: *(\d+)\r\n/i.exec(head) ?? [];
    if (length === undefined) this.#exchange?.reject(new Error(`a response without a length:\n${head}`));
    return Number(length);
  }
}
