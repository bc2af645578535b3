import type { Readable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { type BoundedOutput, standardOutput } from './bounded-output.ts';

/** The last lines get this long to be written when the service ends. */
const LAST_FLUSH_MS = 1_000;

export interface Log {
  readonly log: Logger;
  /** How many lines could not be written so far. */
  dropped(): number;
  /** Takes the lines of another process for its own. */
  forward(lines: Readable | null): void;
  /** Writes what waits, if that can be done in a moment. */
  flush(): Promise<void>;
}

/** JSON lines, for which no request and no stop ever waits; in a terminal, lines for people. */
export async function openLog(level: string): Promise<Log> {
  if (process.stdout.isTTY)
    return { log: await logForPeople(level), dropped: () => 0, forward: () => {}, flush: async () => {} };
  const output = standardOutput();
  const log = pino({ level, base: null }, output);
  output.onFlowing = (dropped) => log.warn({ dropped }, 'lines of the log could not be written');
  return {
    log,
    dropped: () => output.dropped,
    forward: (lines) => forwardLines(lines, output),
    flush: () => output.flush(LAST_FLUSH_MS),
  };
}

/** Only whole lines are passed on, so that those of several processes do not mix. */
function forwardLines(lines: Readable | null, output: BoundedOutput): void {
  let rest = '';
  lines?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) output.write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
}

async function logForPeople(level: string): Promise<Logger> {
  const { default: pretty } = await import('pino-pretty');
  const stream = pretty({
    ignore: 'pid,hostname,deployment,id,key,method,path,status,error,ms',
    messageFormat: (log, messageKey) => describe(log) ?? String(log[messageKey] ?? ''),
    sync: true,
  });
  return pino({ level, base: null }, stream);
}

function describe(log: Record<string, unknown>): string | undefined {
  if (log.method === undefined) return undefined;
  const { deployment, method, path, status, error, ms, key, id } = log;
  const outcome = error === undefined ? status : `${status} ${error}`;
  return `${String(deployment).padEnd(10)} ${method} ${path} ${outcome} ${ms} ms  ${key ?? 'no key'}  ${id}`;
}
