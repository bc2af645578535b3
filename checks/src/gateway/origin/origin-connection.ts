import type { Socket } from 'node:net';
import { BodyReader } from '../wire/body-reader.ts';
import { framingOfRequest, headOf } from '../wire/head.ts';
import { ReceivedRequest } from './received-request.ts';
import { Reply } from './reply.ts';

const MAX_HEAD = 200_000;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Reads the requests of one connection, one after the other, as bytes. */
export class OriginConnection {
  readonly #socket: Socket;
  readonly #number: number;
  readonly #onRequest: (reply: Reply) => void;
  readonly #closed: Promise<void>;
  #pending: Buffer = Buffer.alloc(0);
  #count = 0;
  #request: ReceivedRequest | undefined;
  #body: BodyReader | undefined;
  /** The next request waits until this one has its response. */
  #isResponding = false;

  constructor(socket: Socket, number: number, onRequest: (reply: Reply) => void) {
    this.#socket = socket;
    this.#number = number;
    this.#onRequest = onRequest;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (bytes: Buffer) => {
      this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
      this.#read();
    });
    socket.on('error', () => {});
  }

  #read(): void {
    while (this.#pending.length > 0 && !this.#isResponding && this.#socket.writable) {
      if (!this.#request && !this.#readHead()) return;
      if (!this.#request || !this.#body) return;
      this.#pending = this.#body.push(this.#pending);
      if (this.#body.error) this.#reject(this.#request, this.#body.error);
      else if (this.#body.isDone) this.#deliver(this.#request);
    }
  }

  /** False if the head is incomplete or was rejected. */
  #readHead(): boolean {
    const end = this.#pending.indexOf(END_OF_HEAD);
    if (end < 0 && this.#pending.length < MAX_HEAD) return false;
    const size = end < 0 ? this.#pending.length : end + 4;
    const head = headOf(this.#pending.toString('latin1', 0, size));
    this.#pending = this.#pending.subarray(size);
    this.#count += 1;
    const request = new ReceivedRequest(head, this.#number, this.#count);
    const framing = framingOfRequest(head);
    if (typeof framing === 'object') {
      this.#reject(request, framing.rejected);
      return false;
    }
    this.#request = request;
    this.#body = new BodyReader(framing, (bytes) => request.add(bytes));
    if (/100-continue/i.test(request.header('expect') ?? ''))
      this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    if (this.#body.isDone) this.#deliver(request);
    return true;
  }

  /** Like the service: 400, and nothing more is read from this connection. */
  #reject(request: ReceivedRequest, reason: string): void {
    request.rejected = reason;
    this.#deliver(request);
  }

  #deliver(request: ReceivedRequest): void {
    this.#request = undefined;
    this.#body = undefined;
    this.#isResponding = true;
    this.#onRequest(
      new Reply(this.#socket, this.#closed, request, () => {
        this.#isResponding = request.rejected !== undefined;
        setImmediate(() => this.#read());
      }),
    );
  }
}
