import { type DestinationStream, type Logger, symbols } from 'pino';
import type { Exchange } from './exchange.ts';

const INFO = 30;
const DEBUG = 20;

/**
 * Writes one line a request. Neither headers nor the query are logged, and no key that strayed into the path. The line
 * is as the logger would write it, put together here: its general way to do so took 8 % of a small answer's time.
 */
export function requestLog(log: Logger): (exchange: Exchange, at: number) => void {
  if (!log.isLevelEnabled('info')) return () => {};
  const { [symbols.streamSym]: stream, [symbols.chindingsSym]: bindings } = log as unknown as {
    [symbols.streamSym]: DestinationStream;
    [symbols.chindingsSym]: string;
  };
  const isDetailed = log.isLevelEnabled('debug');
  return (exchange, at) => {
    const isQuiet = isRoutine(exchange);
    if (isQuiet && !isDetailed) return;
    const { id, caller, method, url, status, error, ms } = exchange;
    const key = caller === null ? '' : `,"key":"${caller.keyId}"`;
    const code = error === undefined ? '' : `,"error":"${error}"`;
    const time = Math.round(ms * 1000) / 1000;
    stream.write(
      `{"level":${isQuiet ? DEBUG : INFO},"time":${at}${bindings},"id":"${id}"${key},"method":"${method}",` +
        `"path":${JSON.stringify(loggedPath(url))},"status":${status}${code},"ms":${time}}\n`,
    );
  };
}

/** What a page loads and looks up by itself, when all went well: of that, the console alone would fill the log. */
function isRoutine({ caller, method, url, status }: Exchange): boolean {
  if (status >= 400 || (method !== 'GET' && method !== 'HEAD')) return url === TOKEN && status < 400;
  return (caller?.sessionId ?? null) !== null || /^\/(console|docs)?([/?]|$)/.test(url);
}

/** A page asks for its key every quarter of an hour. */
const TOKEN = '/console/api/token';

/** Matches a key without its prefix; nothing else in our paths is that long. */
const keyLike = /[0-9A-Za-z]{32,}/g;
const SHORTEST_KEY = 32;

/** Drops everything from the first escape on: escapes could hide a key in more ways than can be told. */
function loggedPath(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  const end = path.indexOf('%');
  const plain = end === -1 ? path : `${path.slice(0, end)}%…`;
  return plain.length < SHORTEST_KEY ? plain : plain.replace(keyLike, '…');
}
