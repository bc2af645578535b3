import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** Lines are written together once there is this much of them, or this long after the first: each write has its price. */
const BATCH_BYTES = 64 * 1024;
const FLUSH_MS = 100;

/** JSON lines; in a terminal, lines for people. */
export async function createLog(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level, base: null }, standardOutput());
  const { default: pretty } = await import('pino-pretty');
  const stream = pretty({
    ignore: 'pid,hostname,deployment,id,key,method,path,status,ms',
    messageFormat: (log, messageKey) => describe(log) ?? String(log[messageKey] ?? ''),
    sync: true,
  });
  return pino({ level, base: null }, stream);
}

function standardOutput(): DestinationStream & Pick<ReturnType<typeof destination>, 'flush'> {
  const output = destination({
    dest: 1,
    sync: false,
    minLength: BATCH_BYTES,
    maxWrite: 2 * BATCH_BYTES,
    periodicFlush: FLUSH_MS,
    // Of text, it would count all that it has gathered anew with every piece.
    contentMode: 'buffer',
  });
  return {
    write: (lines) => void output.write(Buffer.from(lines) as unknown as string),
    flush: (done) => output.flush(done),
  };
}

function describe(log: Record<string, unknown>): string | undefined {
  if (log.method === undefined) return undefined;
  const { deployment, method, path, status, ms, key, id } = log;
  return `${String(deployment).padEnd(10)} ${method} ${path} ${status} ${ms} ms  ${key ?? 'no key'}  ${id}`;
}
