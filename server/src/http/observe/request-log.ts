import type { Logger } from 'pino';
import type { Exchange } from './exchange.ts';

/** Writes one line a request. Neither headers nor the query are logged, and no key that strayed into the path. */
export function requestLog(log: Logger): (exchange: Exchange) => void {
  return (exchange) => {
    const { id, caller, method, url, status, error, ms, address, traceparent } = exchange;
    const level = isRoutine(exchange) ? 'debug' : 'info';
    const path = loggedPath(url);
    const time = Math.round(ms * 1000) / 1000;
    log[level]({ id, key: caller?.keyId, method, path, status, error, ms: time, address, traceparent });
  };
}

/** Successful requests that a page makes by itself: the console alone would fill the log with them. */
function isRoutine({ caller, method, url, status }: Exchange): boolean {
  if (status >= 400 || (method !== 'GET' && method !== 'HEAD')) return url === TOKEN && status < 400;
  return (caller?.sessionId ?? null) !== null || /^\/(console|docs)?([/?]|$)/.test(url);
}

/** A page asks for its key every quarter of an hour. */
const TOKEN = '/console/api/token';

/** Matches a key without its prefix; nothing else in our paths is that long. */
const keyLike = /[0-9A-Za-z]{32,}/g;

/** Drops everything from the first escape on: escapes could hide a key in more ways than can be told. */
function loggedPath(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  const end = path.indexOf('%');
  const plain = end === -1 ? path : `${path.slice(0, end)}%…`;
  return plain.replace(keyLike, '…');
}
