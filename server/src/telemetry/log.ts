import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { timeouts } from '../config/timeouts.ts';
import { prettyLine } from './pretty-line.ts';

/** Beyond this, lines are dropped and counted, so that a full disk or a slow reader delays nothing. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;
/** Lines are written in batches: when a batch has this many bytes, or after this delay. */
const BATCH_BYTES = 4096;
const MAX_DELAY_MS = 50;
/** How often a failed write is retried, even if no other line follows. */
const RETRY_MS = 1_000;

export interface Log {
  readonly log: Logger;
  dropped(): number;
  forward(lines: Readable | null): void;
  end(): Promise<void>;
}

export function logOptions(level: string): LoggerOptions {
  return {
    level,
    base: null,
    timestamp: timeWriter(),
    formatters: { level: (label) => ({ level: label }) },
  };
}

/** Memoized per millisecond: formatting RFC 3339 takes as long as the rest of a line. */
function timeWriter(): () => string {
  let [last, text] = [0, ''];
  return () => {
    const now = Date.now();
    if (now !== last) [last, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
}

/** Writes asynchronously: neither requests nor shutdown wait for the log. Pretty-prints in a terminal. */
export function openLog(
  level: string,
  stream: WriteStream & { readonly fd: number } = process.stdout,
  format?: 'json' | 'pretty',
): Log {
  // Accessing the stream also makes a pipe non-blocking.
  const { isTTY } = stream;
  const isPretty = (format ?? (isTTY ? 'pretty' : 'json')) === 'pretty';
  const formatLine = isPretty ? prettyLine : (line: string) => line;
  const output = pino.destination({
    dest: stream.fd,
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: RETRY_MS,
    maxLength: MAX_QUEUED_BYTES,
    // With strings, the length of the whole queue would be computed again for every line.
    contentMode: 'buffer',
  });
  let hasEnded = false;
  let willFlush = false;
  const flush = () => {
    willFlush = false;
    if (!hasEnded) output.flush();
  };
  const write = (text: string) => {
    // Writing to an ended output throws.
    if (hasEnded) return;
    output.write(Buffer.from(text) as never);
    if (!willFlush) setTimeout(flush, MAX_DELAY_MS).unref();
    willFlush = true;
  };
  const log = pino(logOptions(level), { write: (line) => write(formatLine(line)) });
  let isReaderGone = false;
  let dropped = 0;
  let reported = 0;
  output.on('drop', (lines: Buffer) => {
    dropped += lines.toString().split('\n').length - 1;
  });
  output.on('drain', () => {
    const unreported = dropped - reported;
    reported = dropped;
    if (unreported > 0) log.warn({ dropped: unreported }, 'log lines were dropped');
  });
  // Failed writes are retried, unless the reader has closed the pipe.
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    isReaderGone ||= code === 'EPIPE';
  });
  return {
    log,
    dropped: () => dropped,
    forward: (lines) => forwardLines(lines, { write }),
    async end() {
      hasEnded = true;
      if (isReaderGone) return;
      const timeout = AbortSignal.timeout(timeouts.flushTimeoutMs);
      const closed = once(output, 'close', { signal: timeout });
      output.end();
      // After an error, the output does not close automatically.
      await closed.catch(() => {});
      // Otherwise, the process would wait for a slow reader before it exits.
      output.destroy();
      // A stalled terminal blocks a thread in a write, so that the process cannot exit normally.
      if (isTTY && timeout.aborted) process.kill(process.pid, 'SIGKILL');
    },
  };
}

/** Forwards whole lines only, so that lines of several processes do not mix. */
function forwardLines(lines: Readable | null, output: { write(text: string): void }): void {
  let rest = '';
  lines?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) output.write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
}
