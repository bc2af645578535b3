import { connect, type Socket } from 'node:net';

export interface Response {
  /** Status line and headers. */
  readonly head: string;
  readonly status: number;
  /** Bytes of the body. */
  readonly length: number;
  /** Milliseconds from the request to the first byte, and to the last. */
  readonly firstByte: number;
  readonly total: number;
}

export interface WholeResponse extends Response {
  readonly body: Buffer;
}

/** Shared by all connections: what arrives is counted and forgotten. */
const shared = Buffer.allocUnsafe(256 * 1024);

/**
 * One HTTP/1.1 connection that is kept alive, for one request at a time. It does no more than needed to
 * know where an answer ends, so that it costs little beside the server that it measures.
 */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #keep: boolean;
  #done: ((response: Response) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;
  #sentAt = 0;
  #firstByte = 0;
  #status = 0;
  #length = 0;
  #head: Buffer | undefined;
  #headText = '';
  #body: Buffer[] = [];
  /** Bytes of the body still to come; -1 while the head is not complete. */
  #remaining = -1;
  #chunked: ChunkCounter | undefined;

  private constructor(socket: Socket, keep: boolean) {
    this.#socket = socket;
    this.#keep = keep;
  }

  /** `keep` holds on to heads and bodies, for looking at them. */
  static open(port: number, { keep = false } = {}): Promise<LoadConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: keep ? () => Buffer.allocUnsafe(64 * 1024) : shared,
          callback: (count, buffer) => {
            connection.#read(Buffer.from(buffer.buffer, buffer.byteOffset, count));
            return true;
          },
        },
      });
      const connection = new LoadConnection(socket, keep);
      socket.once('connect', () => resolve(connection));
      socket.once('error', (error) => {
        reject(error);
        connection.#fail(error);
      });
      socket.once('close', () => connection.#fail(new Error('the server closed the connection')));
    });
  }

  send(request: Buffer, done: (response: Response) => void, failed: (error: Error) => void): void {
    this.#done = done;
    this.#failed = failed;
    this.#remaining = -1;
    this.#firstByte = 0;
    this.#sentAt = performance.now();
    this.#socket.write(request);
  }

  request(bytes: Buffer): Promise<WholeResponse> {
    return new Promise((resolve, reject) => {
      this.send(bytes, (response) => resolve({ ...response, body: Buffer.concat(this.#body) }), reject);
    });
  }

  close(): void {
    this.#done = undefined;
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    const failed = this.#failed;
    this.#done = undefined;
    this.#failed = undefined;
    failed?.(error);
  }

  #read(data: Buffer): void {
    if (this.#remaining >= 0) {
      this.#readBody(data);
      return;
    }
    if (this.#firstByte === 0) this.#firstByte = performance.now() - this.#sentAt;
    const whole = this.#head ? Buffer.concat([this.#head, data]) : data;
    const end = whole.indexOf('\r\n\r\n');
    if (end === -1) {
      this.#head = Buffer.from(whole);
      return;
    }
    this.#head = undefined;
    this.#readHead(whole.toString('latin1', 0, end + 2));
    this.#readBody(whole.subarray(end + 4));
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    this.#headText = head;
    this.#body = [];
    this.#length = 0;
    this.#chunked = undefined;
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
    if (length !== undefined) this.#remaining = Number(length);
    else if (/\r\ntransfer-encoding: *chunked\r\n/i.test(head)) {
      this.#chunked = new ChunkCounter();
      this.#remaining = 1;
    } else this.#remaining = 0;
    if (this.#status === 304 || this.#status === 204) this.#remaining = 0;
  }

  #readBody(data: Buffer): void {
    if (this.#keep && data.length > 0) this.#body.push(data);
    if (this.#chunked) {
      this.#chunked.count(data);
      this.#length = this.#chunked.length;
      this.#remaining = this.#chunked.ended ? 0 : 1;
    } else {
      this.#length += data.length;
      this.#remaining -= data.length;
    }
    if (this.#remaining > 0) return;
    const done = this.#done;
    this.#done = undefined;
    this.#failed = undefined;
    done?.({
      head: this.#headText,
      status: this.#status,
      length: this.#length,
      firstByte: this.#firstByte,
      total: performance.now() - this.#sentAt,
    });
  }
}

/** Counts the bytes of a chunked body, wherever its pieces are cut. */
class ChunkCounter {
  length = 0;
  ended = false;
  #line = '';
  #isTrailer = false;
  #left = 0;
  #skip = 0;

  count(data: Buffer): void {
    let at = 0;
    while (at < data.length && !this.ended) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, data.length - at);
        this.#left -= taken;
        this.length += taken;
        at += taken;
        if (this.#left === 0) this.#skip = 2;
      } else if (this.#skip > 0) {
        this.#skip--;
        at++;
      } else {
        const character = String.fromCharCode(data[at++] as number);
        if (character !== '\n') this.#line += character;
        else this.#endLine();
      }
    }
  }

  #endLine(): void {
    const line = this.#line.trim();
    this.#line = '';
    if (this.#isTrailer) this.ended = line === '';
    else if (line === '0') this.#isTrailer = true;
    else this.#left = Number.parseInt(line, 16);
  }
}

/** The bytes of a request. */
export function requestBytes(
  method: string,
  path: string,
  { key, headers = {}, body }: { key?: string; headers?: Record<string, string>; body?: string } = {},
): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** One request on a connection of its own. */
export async function send(port: number, request: Buffer, { keep = true } = {}): Promise<WholeResponse> {
  const connection = await LoadConnection.open(port, { keep });
  try {
    return await connection.request(request);
  } finally {
    connection.close();
  }
}
