import type { Framing } from './head.ts';

const MAX_LINE = 1_000;

/** Reads a body incrementally: removes the framing, and finds the end. */
export class BodyReader {
  isDone: boolean;
  /** Why the body is malformed. */
  error: string | undefined;
  readonly #framing: Framing;
  readonly #onData: (bytes: Buffer) => void;
  #left: number;
  #line = '';
  #part: 'size' | 'data' | 'end-of-data' | 'trailers' = 'size';

  constructor(framing: Framing, onData: (bytes: Buffer) => void) {
    this.#framing = framing;
    this.#onData = onData;
    this.#left = typeof framing === 'number' ? framing : 0;
    this.isDone = framing === 0;
  }

  /** Consumes bytes of the body, and returns the bytes after it. */
  push(bytes: Buffer): Buffer {
    let rest = bytes;
    while (rest.length > 0 && !this.isDone && this.error === undefined)
      rest = this.#framing === 'chunked' ? this.#pushChunked(rest) : this.#pushData(rest);
    return rest;
  }

  #pushData(bytes: Buffer): Buffer {
    if (this.#framing === 'until-close') {
      this.#onData(bytes);
      return bytes.subarray(bytes.length);
    }
    const part = bytes.subarray(0, this.#left);
    this.#left -= part.length;
    this.#onData(part);
    if (this.#left === 0) {
      if (this.#framing === 'chunked') this.#part = 'end-of-data';
      else this.isDone = true;
    }
    return bytes.subarray(part.length);
  }

  #pushChunked(bytes: Buffer): Buffer {
    if (this.#part === 'data') return this.#pushData(bytes);
    const end = bytes.indexOf(0x0a);
    this.#line += bytes.toString('latin1', 0, end < 0 ? bytes.length : end + 1);
    if (this.#line.length > MAX_LINE) this.error = 'malformed chunk';
    if (end < 0) return bytes.subarray(bytes.length);
    const line = this.#line;
    this.#line = '';
    this.#endLine(line);
    return bytes.subarray(end + 1);
  }

  #endLine(line: string): void {
    if (!line.endsWith('\r\n')) this.error = 'malformed chunk';
    else if (this.#part === 'size') {
      const size = /^([\da-f]{1,12})(;.*)?\r\n$/i.exec(line)?.[1];
      if (size === undefined) this.error = 'malformed chunk';
      this.#left = Number.parseInt(size ?? '0', 16);
      this.#part = this.#left === 0 ? 'trailers' : 'data';
    } else if (this.#part === 'end-of-data') {
      if (line !== '\r\n') this.error = 'malformed chunk';
      this.#part = 'size';
    } else if (line === '\r\n') this.isDone = true;
  }
}
