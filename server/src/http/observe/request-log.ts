import { type DestinationStream, type Logger, symbols } from 'pino';
import type { Exchange } from './exchange.ts';

const INFO = 30;

/**
 * One line a request. Neither headers nor the query are logged, and no key that strayed into the path.
 * The lines are as the logger would write them, but put together here: for every request, that is worth it.
 */
export function requestLog(log: Logger): (exchanges: readonly Exchange[]) => void {
  if (!log.isLevelEnabled('info')) return () => {};
  const { [symbols.streamSym]: stream, [symbols.chindingsSym]: bindings } = log as unknown as {
    [symbols.streamSym]: DestinationStream;
    [symbols.chindingsSym]: string;
  };
  return (exchanges) => {
    const start = `{"level":${INFO},"time":${Date.now()}${bindings},"id":"`;
    let lines = '';
    for (const exchange of exchanges) lines += start + restOfLine(exchange);
    stream.write(lines);
  };
}

function restOfLine({ id, caller, method, path, status, ms }: Exchange): string {
  const key = caller === null ? '' : `,"key":"${caller.keyId}"`;
  const time = Math.round(ms * 1000) / 1000;
  return `${id}"${key},"method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${time}}\n`;
}

/** Long enough for a key without its prefix; nothing else in our paths is. */
const keyLike = /[0-9A-Za-z]{32,}/g;

/** Escapes could hide a key in more ways than can be told: nothing behind the first one is logged. */
export function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] as string;
  const end = path.indexOf('%');
  const plain = end === -1 ? path : `${path.slice(0, end)}%…`;
  return plain.replace(keyLike, '…');
}
