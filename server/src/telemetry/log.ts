import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { timeouts } from '../config/timeouts.ts';

/** Beyond it, lines are dropped and counted: nothing waits for a full disk or a slow reader. */
const MAX_QUEUED = 4 * 1024 * 1024;
/** What could not be written is tried again so often, also if no other line follows. */
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

/** RFC 3339 takes as long as the rest of a line: lines of the same millisecond share it. */
function timeWriter(): () => string {
  let [at, written] = [0, ''];
  return () => {
    const now = Date.now();
    if (now !== at) [at, written] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return written;
  };
}

/** No request and no stop waits for a line. In a terminal, lines are for people. */
export async function openLog(
  level: string,
  stream: WriteStream & { readonly fd: number } = process.stdout,
  format?: 'json' | 'pretty',
): Promise<Log> {
  // Asking also makes a pipe non-blocking.
  const { isTTY } = stream;
  const isForPeople = (format ?? (isTTY ? 'pretty' : 'json')) === 'pretty';
  const shown = isForPeople ? await linesForPeople() : (line: string) => line;
  const output = pino.destination({
    dest: stream.fd,
    sync: false,
    // With no length at all, the output would leave out its periodic flush.
    minLength: 1,
    periodicFlush: RETRY_MS,
    maxLength: MAX_QUEUED,
    // As text, all that waits would be measured anew with each line.
    contentMode: 'buffer',
  });
  let isOver = false;
  const write = (text: string) => {
    // An output that has ended throws at more.
    if (!isOver) output.write(Buffer.from(text) as never);
  };
  const log = pino(logOptions(level), { write: (line) => write(shown(line)) });
  let isReaderGone = false;
  let dropped = 0;
  let told = 0;
  output.on('drop', (lines: Buffer) => {
    dropped += lines.toString().split('\n').length - 1;
  });
  output.on('drain', () => {
    const unsynced = dropped - told;
    told = dropped;
    if (unsynced > 0) log.warn({ dropped: unsynced }, 'lines of the log could not be written');
  });
  // A line that could not be written is tried again, unless whoever read them has gone.
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    isReaderGone ||= code === 'EPIPE';
  });
  return {
    log,
    dropped: () => dropped,
    forward: (lines) => forwardLines(lines, { write }),
    async end() {
      isOver = true;
      if (isReaderGone) return;
      const late = AbortSignal.timeout(timeouts.flushTimeoutMs);
      const closed = once(output, 'close', { signal: late });
      output.end();
      // After an error, the output does not close by itself.
      await closed.catch(() => {});
      // At its exit, the process would wait for whoever does not read.
      output.destroy();
      // A terminal that stalls also holds a thread, in the middle of a write, without which the process cannot exit.
      if (isTTY && late.aborted) process.kill(process.pid, 'SIGKILL');
    },
  };
}

/** Only whole lines are passed on, so that those of several processes do not mix. */
function forwardLines(lines: Readable | null, output: { write(text: string): void }): void {
  let rest = '';
  lines?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) output.write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
}

async function linesForPeople(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  return prettyFactory({
    ignore: 'pid,hostname,deployment,id,key,method,path,status,error,ms,address,traceparent',
    messageFormat: (log, messageKey) => describe(log) ?? String(log[messageKey] ?? ''),
  });
}

function describe(log: Record<string, unknown>): string | undefined {
  if (log.method === undefined) return undefined;
  const { deployment, method, path, status, error, ms, key, id } = log;
  const outcome = error === undefined ? status : `${status} ${error}`;
  return `${String(deployment).padEnd(10)} ${method} ${path} ${outcome} ${ms} ms  ${key ?? 'no key'}  ${id}`;
}
