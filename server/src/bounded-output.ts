import { fstatSync, write } from 'node:fs';

/** Lines are written together once there is this much of them, or this long after the first: each write has its price. */
const BATCH_LENGTH = 64 * 1024;
const FLUSH_MS = 100;
/** More than this does not wait: what comes while it does is dropped, and counted. */
const MOST_WAITING = 4 * 1024 * 1024;

/** Writes all of it, and says when it is written or cannot be. */
type WriteAll = (text: string, done: (error?: Error | null) => void) => void;

/** Lines on their way to somewhere that may be slow, full or gone. Nobody ever waits for it, and it takes bounded memory. */
export class BoundedOutput {
  readonly #writeAll: WriteAll;
  #waiting: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #untold = 0;
  /** Lines that were never written. */
  dropped = 0;
  /** Told how many lines were dropped, once lines flow again. */
  onFlowing: (dropped: number) => void = () => {};

  constructor(writeAll: WriteAll) {
    this.#writeAll = writeAll;
  }

  write(line: string): void {
    if (this.#length + line.length > MOST_WAITING) {
      this.#drop(1);
      return;
    }
    this.#waiting.push(line);
    this.#length += line.length;
    if (this.#length >= BATCH_LENGTH) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), FLUSH_MS).unref();
  }

  /** Writes what waits; gives up after so many milliseconds. */
  async flush(ms: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([late, this.#sendAll()]);
    clearTimeout(timer);
  }

  async #sendAll(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) {
      this.#send();
      await this.#writing;
    }
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting.length === 0) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing = promise;
    this.#writeAll(lines.join(''), (error) => {
      this.#writing = undefined;
      if (error) this.#drop(lines.length);
      else this.#tellDropped();
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#send(), FLUSH_MS).unref();
      resolve();
    });
  }

  #drop(lines: number): void {
    this.dropped += lines;
    this.#untold += lines;
  }

  #tellDropped(): void {
    if (this.#untold === 0) return;
    const dropped = this.#untold;
    this.#untold = 0;
    this.onFlowing(dropped);
  }
}

/**
 * A pipe is written to without blocking, a file on a thread of the pool: a thread that is stuck in a pipe nobody reads
 * would keep the process from ending.
 */
export function standardOutput(): BoundedOutput {
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  return new BoundedOutput(isPipe ? (text, done) => void process.stdout.write(text, done) : writeToFile);
}

function writeToFile(text: string, done: (error?: Error | null) => void): void {
  const bytes = Buffer.from(text);
  const writeFrom = (start: number) =>
    write(1, bytes, start, (error, written) => {
      if (error || start + written === bytes.length) done(error);
      else writeFrom(start + written);
    });
  writeFrom(0);
}
