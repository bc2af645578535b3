import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Arriving } from './arriving.ts';
import { BodyReader } from './body-reader.ts';
import { framingOfResponse, headOf } from './head.ts';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** A connection to the gateway that sends raw bytes and reads one response after the other. */
export class GatewayConnection implements Disposable {
  readonly socket: Socket;
  readonly #expected: Arriving[] = [];
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

  /** Sends a request; its response arrives after those of earlier requests. */
  send(method: string, ...parts: readonly (string | Buffer)[]): Arriving {
    const arriving = new Arriving(method);
    this.#expected.push(arriving);
    for (const part of parts) this.write(part);
    if (this.#end !== undefined) this.#close(this.#end);
    return arriving;
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
      const [arriving] = this.#expected;
      if (!arriving) return;
      if (!this.#body && !this.#readHead(arriving)) return;
      if (!this.#body) continue;
      this.#pending = this.#body.push(this.#pending);
      if (this.#body.error) this.#close(this.#body.error);
      if (!this.#body.isDone) return;
      this.#finish(arriving);
    }
  }

  /** False if the head has not arrived completely. */
  #readHead(arriving: Arriving): boolean {
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
      arriving.interim.push(status);
      arriving.changed();
      return true;
    }
    this.#body = new BodyReader(framingOfResponse(arriving.method, status, head), (part) =>
      arriving.add(part),
    );
    arriving.begin(status, head);
    if (this.#body.isDone) this.#finish(arriving);
    return true;
  }

  #finish(arriving: Arriving): void {
    this.#body = undefined;
    this.#expected.shift();
    arriving.isComplete = true;
    arriving.changed();
  }

  #close(reason: string): void {
    this.#end ??= reason;
    const [arriving] = this.#expected;
    const isUntilClose =
      arriving?.status !== undefined && !arriving.isComplete && this.#isUntilClose(arriving);
    if (arriving && isUntilClose && this.#end === 'connection closed') this.#finish(arriving);
    for (const pending of this.#expected.splice(0)) {
      pending.end = this.#end;
      pending.changed();
    }
  }

  #isUntilClose({ method, status = 0, headers }: Arriving): boolean {
    return framingOfResponse(method, status, { headers, text: '', startLine: '' }) === 'until-close';
  }
}
