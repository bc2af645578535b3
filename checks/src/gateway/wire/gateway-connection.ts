import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { BodyReader } from './body-reader.ts';
import { ClientResponse } from './client-response.ts';
import { framingOfResponse, headOf } from './head.ts';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** A connection to the gateway that sends raw bytes and reads one response after the other. */
export class GatewayConnection implements Disposable {
  readonly socket: Socket;
  readonly #expected: ClientResponse[] = [];
  #pending: Buffer = Buffer.alloc(0);
  #body: BodyReader | undefined;
  #end: string | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.#end ??= code === 'ECONNRESET' ? 'connection reset' : `connection failed: ${code}`;
    });
    socket.on('close', () => this.#close('connection closed'));
    socket.on('end', () => this.#close('connection closed'));
  }

  /** Rejects if no connection is established in time. */
  static async open({ protocol, hostname, port }: URL, ms: number): Promise<GatewayConnection> {
    const host = hostname.replaceAll(/[[\]]/g, '');
    const isTls = protocol === 'https:';
    const target = { host, port: Number(port || (isTls ? 443 : 80)), noDelay: true };
    const servername = isIP(host) ? {} : { servername: host };
    const socket = isTls
      ? connectTls({ ...target, ...servername, ALPNProtocols: ['http/1.1'] })
      : connect(target);
    try {
      await once(socket, isTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(ms) });
    } catch (error) {
      socket.on('error', () => {}).destroy();
      const { name, message } = error as Error;
      throw new Error(name === 'AbortError' ? `not connected within ${ms / 1000} s` : message);
    }
    return new GatewayConnection(socket);
  }

  /** Sends a request; its response follows those of earlier requests. */
  send(method: string, ...parts: readonly (string | Buffer)[]): ClientResponse {
    const response = new ClientResponse(method);
    this.#expected.push(response);
    for (const part of parts) this.write(part);
    if (this.#end !== undefined) this.#close(this.#end);
    return response;
  }

  write(part: string | Buffer): void {
    if (this.socket.writable)
      this.socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    while (this.#pending.length > 0) {
      const [response] = this.#expected;
      if (!response) return;
      if (!this.#body && !this.#readHead(response)) return;
      if (!this.#body) continue;
      this.#pending = this.#body.push(this.#pending);
      if (this.#body.error) this.#close(this.#body.error);
      if (!this.#body.isDone) return;
      this.#finish(response);
    }
  }

  /** False if the head is incomplete. */
  #readHead(response: ClientResponse): boolean {
    const end = this.#pending.indexOf(END_OF_HEAD);
    if (end < 0) return false;
    const head = headOf(this.#pending.toString('latin1', 0, end + 4));
    this.#pending = this.#pending.subarray(end + 4);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.startLine)?.[1]);
    if (!status) {
      this.#close(`not an HTTP response: ${head.startLine.slice(0, 80)}`);
      return false;
    }
    if (status < 200) {
      response.interim.push(status);
      response.notifyWatchers();
      return true;
    }
    this.#body = new BodyReader(framingOfResponse(response.method, status, head), (part) =>
      response.add(part),
    );
    response.begin(status, head);
    if (this.#body.isDone) this.#finish(response);
    return true;
  }

  #finish(response: ClientResponse): void {
    this.#body = undefined;
    this.#expected.shift();
    response.isComplete = true;
    response.notifyWatchers();
  }

  #close(reason: string): void {
    this.#end ??= reason;
    const [response] = this.#expected;
    const isUntilClose =
      response?.status !== undefined && !response.isComplete && this.#isUntilClose(response);
    if (response && isUntilClose && this.#end === 'connection closed') this.#finish(response);
    for (const pending of this.#expected.splice(0)) {
      pending.end = this.#end;
      pending.notifyWatchers();
    }
  }

  #isUntilClose({ method, status = 0, headers }: ClientResponse): boolean {
    return framingOfResponse(method, status, { headers, text: '', startLine: '' }) === 'until-close';
  }
}
