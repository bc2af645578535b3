import { type Head, headerOf } from '../wire/head.ts';

/** Stored bytes of a request body. */
const MAX_BODY = 8_000_000;

/** A request as it reached the origin. */
export class ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly startLine: string;
  readonly headers: Head['headers'];
  readonly headText: string;
  /** Number of the connection, and of the request on it. */
  readonly connection: number;
  readonly position: number;
  /** Why the origin rejected it as malformed. */
  rejected: string | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(head: Head, connection: number, position: number) {
    const [method = '', target = ''] = head.startLine.split(' ');
    this.method = method;
    this.target = target;
    this.startLine = head.startLine;
    this.headers = head.headers;
    this.headText = head.text;
    this.connection = connection;
    this.position = position;
  }

  header(name: string): string | undefined {
    return headerOf(this.headers, name);
  }

  add(bytes: Buffer): void {
    if (this.#size < MAX_BODY) this.#chunks.push(bytes);
    this.#size += bytes.length;
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** For a report. */
  get summary(): string {
    const reason = this.rejected === undefined ? '' : `\n(rejected: ${this.rejected})`;
    return `${this.headText}${this.body.toString('latin1', 0, 4_096)}${reason}`;
  }
}
