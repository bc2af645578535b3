import { fstatSync, write } from 'node:fs';

/** Lines are written together once there is this much of them, or this long after the first: each write has its price. */
const BATCH_BYTES = 256 * 1024;
const FLUSH_MS = 100;
/** More than this does not wait: what comes while it does is dropped, and counted. */
const MOST_WAITING = 4 * 1024 * 1024;
/** No character of a line takes more bytes. */
const MOST_OF_CHARACTER = 3;

/** Writes all of it, and says when it is written or cannot be. */
type WriteAll = (bytes: Buffer, done: (error?: Error | null) => void) => void;

/** Lines that are written together. As text they would be garbage to collect that has grown old. */
interface Batch {
  readonly bytes: Buffer;
  length: number;
  lines: number;
}

/** Lines on their way to somewhere that may be slow, full or gone. Nobody ever waits for it, and it takes bounded memory. */
export class BoundedOutput {
  readonly #writeAll: WriteAll;
  /** Those that are full, oldest first. */
  #full: Batch[] = [];
  #filling = emptyBatch(Buffer.allocUnsafeSlow(BATCH_BYTES));
  /** Bytes of all of them. */
  #waiting = 0;
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
    const most = MOST_OF_CHARACTER * line.length;
    if (this.#waiting + most > MOST_WAITING) {
      this.#drop(1);
      return;
    }
    if (this.#filling.length + most > this.#filling.bytes.length) {
      if (this.#filling.lines > 0) this.#full.push(this.#filling);
      this.#filling = emptyBatch(Buffer.allocUnsafeSlow(Math.max(BATCH_BYTES, most)));
    }
    const batch = this.#filling;
    const length = batch.bytes.write(line, batch.length);
    batch.length += length;
    batch.lines++;
    this.#waiting += length;
    if (this.#full.length > 0) this.#send();
    else this.#sendSoon();
  }

  /** Writes what waits; gives up after so many milliseconds. */
  async flush(ms: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([late, this.#sendAll()]);
    clearTimeout(timer);
  }

  async #sendAll(): Promise<void> {
    while (this.#writing || this.#waiting > 0) {
      this.#send();
      await this.#writing;
    }
  }

  #sendSoon(): void {
    this.#timer ??= setTimeout(() => this.#send(), FLUSH_MS).unref();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting === 0) return;
    const batch = this.#full.shift() ?? this.#filling;
    // What is sent early leaves room behind it for what comes.
    if (batch === this.#filling) this.#filling = emptyBatch(batch.bytes.subarray(batch.length));
    this.#waiting -= batch.length;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing = promise;
    this.#writeAll(batch.bytes.subarray(0, batch.length), (error) => {
      this.#writing = undefined;
      if (error) this.#drop(batch.lines);
      else this.#tellDropped();
      if (this.#full.length > 0) this.#send();
      else if (this.#waiting > 0) this.#sendSoon();
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

function emptyBatch(bytes: Buffer): Batch {
  return { bytes, length: 0, lines: 0 };
}

/**
 * A pipe is written to without blocking, a file on a thread of the pool: a thread that is stuck in a pipe nobody reads
 * would keep the process from ending.
 */
export function standardOutput(): BoundedOutput {
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  return new BoundedOutput(isPipe ? (bytes, done) => void process.stdout.write(bytes, done) : writeToFile);
}

function writeToFile(bytes: Buffer, done: (error?: Error | null) => void): void {
  const writeFrom = (start: number) =>
    write(1, bytes, start, (error, written) => {
      if (error || start + written === bytes.length) done(error);
      else writeFrom(start + written);
    });
  writeFrom(0);
}
