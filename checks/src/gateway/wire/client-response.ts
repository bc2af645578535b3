import { type Head, type Header, headerOf, headOf } from './head.ts';

/** Stored bytes of a body; beyond that, only the size is counted. */
const MAX_STORED = 16_000_000;

/** A response as the client receives it; its fields are filled in as bytes are read. */
export class ClientResponse {
  readonly method: string;
  /** Undefined until a final response begins. */
  status: number | undefined;
  readonly interim: number[] = [];
  isComplete = false;
  /** Why no more bytes follow: `connection closed`, `connection reset`. */
  end: string | undefined;
  size = 0;
  #head: Head = headOf('');
  readonly #chunks: Buffer[] = [];
  readonly #watchers = new Set<() => void>();

  constructor(method: string) {
    this.method = method;
  }

  get head(): string {
    return this.#head.text;
  }

  get headers(): readonly Header[] {
    return this.#head.headers;
  }

  header(name: string): string | undefined {
    return headerOf(this.headers, name);
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    return this.body.toString('utf8');
  }

  /** What was received, for a report. */
  get summary(): string {
    if (this.status === undefined) return `(${this.end ?? 'no response'})`;
    const end = this.isComplete ? '' : `\n(${this.end ?? 'incomplete'} after ${this.size} bytes)`;
    return `${this.head}${this.#chunks
      .map((chunk) => chunk.toString('latin1', 0, 4_096))
      .join('')
      .slice(0, 4_096)}${end}`;
  }

  begin(status: number, head: Head): void {
    this.status = status;
    this.#head = head;
    this.notifyWatchers();
  }

  add(bytes: Buffer): void {
    if (this.size < MAX_STORED) this.#chunks.push(bytes);
    this.size += bytes.length;
    this.notifyWatchers();
  }

  notifyWatchers(): void {
    for (const check of this.#watchers) check();
  }

  get isOver(): boolean {
    return this.isComplete || this.end !== undefined;
  }

  /** Whether the connection ended before a response began: gateways may close a connection after any response. */
  get isConnectionClosed(): boolean {
    return this.status === undefined && /^connection (closed|reset|failed: EPIPE)$/.test(this.end ?? '');
  }

  /** Waits for a condition; false if the response ends or the time runs out before. */
  waitFor(condition: () => boolean, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (result: boolean) => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        resolve(result);
      };
      const check = () => {
        if (condition()) settle(true);
        else if (this.isOver) settle(false);
      };
      const timer = setTimeout(() => settle(condition()), ms);
      this.#watchers.add(check);
      check();
    });
  }

  /** Waits for the end of the response. False if it takes longer. */
  waitForEnd(ms: number): Promise<boolean> {
    return this.waitFor(() => this.isOver, ms);
  }
}
