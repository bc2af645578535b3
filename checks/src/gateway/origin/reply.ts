import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Header, headerOf } from '../wire/head.ts';
import type { ReceivedRequest } from './received-request.ts';

/** Recorded characters of a response. */
const MAX_RECORDED = 4_096;

export interface OriginResponse {
  readonly status: number;
  readonly headers?: readonly Header[];
  readonly body?: string | Buffer;
}

/** The response of the origin to one request: complete, in chunks, or aborted. */
export class Reply {
  readonly request: ReceivedRequest;
  /** What was sent, and how it ended, for a report. */
  summary = '';
  /** Resolves when the gateway or the origin closed the connection. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #onFinished: () => void;
  #isFinished = false;

  constructor(socket: Socket, closed: Promise<void>, request: ReceivedRequest, onFinished: () => void) {
    this.#socket = socket;
    this.request = request;
    this.#onFinished = onFinished;
    this.closed = closed;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** An HTTP/1.0 gateway understands no chunks: the end of the body is the end of the connection. */
  get canChunk(): boolean {
    return this.request.startLine.endsWith('/1.1');
  }

  /** Sends a whole response, as the service frames it. */
  respond({ status, headers = [], body = '' }: OriginResponse): void {
    const bytes = Buffer.from(body);
    const hasLength = status !== 204 && status !== 304;
    const length: Header[] = hasLength ? [['content-length', String(bytes.length)]] : [];
    this.sendHead(status, [...headers, ...length]);
    if (this.request.method !== 'HEAD' && hasLength) this.send(bytes);
    this.finish();
  }

  /** Begins a response whose length is not known in advance. */
  begin(status: number, headers: readonly Header[] = []): void {
    this.sendHead(status, [
      ...headers,
      ...(this.canChunk ? [['transfer-encoding', 'chunked'] as const] : []),
    ]);
  }

  /** Sends a chunk of a response started by `begin`. */
  chunk(bytes: string | Buffer): boolean {
    const body = Buffer.from(bytes);
    if (!this.canChunk) return this.send(body);
    return this.send(
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]),
    );
  }

  /** Ends a response started by `begin`. */
  end(): void {
    if (this.canChunk) this.send('0\r\n\r\n');
    this.finish();
  }

  sendHead(status: number, headers: readonly Header[]): void {
    const connection = this.#mustClose ? 'close' : 'keep-alive';
    const all: Header[] = [...headers, ['Date', new Date().toUTCString()], ['Connection', connection]];
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    this.send(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`);
  }

  /** Sends raw bytes. False if the gateway reads more slowly. */
  send(bytes: string | Buffer): boolean {
    if (this.summary.length < MAX_RECORDED) this.summary += bytes.toString('latin1').slice(0, MAX_RECORDED);
    return !this.#socket.destroyed && this.#socket.write(bytes);
  }

  /** Waits until the gateway has read what was sent; false on disconnect or timeout. */
  async waitForDrain(ms: number): Promise<boolean> {
    const timeout = AbortSignal.timeout(ms);
    if (this.#socket.destroyed) return false;
    if (!this.#socket.writableNeedDrain) return true;
    const drained = once(this.#socket, 'drain', { signal: timeout }).then(() => true);
    return Promise.race([drained, this.closed.then(() => false)]).catch(() => false);
  }

  /** The response is complete: the connection serves the next request. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (this.#mustClose) this.#socket.end();
    this.#onFinished();
  }

  /** Closes the connection without the rest of the response. */
  close(): void {
    this.summary += '\n(the origin closed the connection)';
    this.#socket.end(() => this.#socket.destroySoon());
  }

  /** Closes the connection after the response, without announcing it by `Connection: close`. */
  hangUp(): void {
    this.#socket.end();
  }

  /** Aborts the response with a TCP reset. */
  reset(): void {
    this.summary += '\n(the origin reset the connection)';
    this.#socket.resetAndDestroy();
  }

  /** Aborts a response that is still in progress when the question ends. */
  abandon(): void {
    if (!this.#isFinished) this.#socket.destroy();
  }

  get #mustClose(): boolean {
    const connection = headerOf(this.request.headers, 'connection') ?? '';
    if (this.canChunk) return /\bclose\b/i.test(connection) || this.request.rejected !== undefined;
    return !/\bkeep-alive\b/i.test(connection);
  }
}
