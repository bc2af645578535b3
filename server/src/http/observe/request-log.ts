import type { Logger } from 'pino';
import type { Exchange } from './exchange.ts';

/** Writes one line a request. Neither headers nor the query are logged, and no key that strayed into the path. */
export function requestLog(log: Logger): (exchange: Exchange) => void {
  return ({ id, caller, method, url, status, ms }) =>
    log.info({
      id,
      key: caller?.keyId,
      method,
      path: loggedPath(url),
      status,
      ms: Math.round(ms * 1000) / 1000,
    });
}

/** Matches a key without its prefix; nothing else in our paths is that long. */
const keyLike = /[0-9A-Za-z]{32,}/g;

/** Drops everything from the first escape on: escapes could hide a key in more ways than can be told. */
function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] as string;
  const end = path.indexOf('%');
  const plain = end === -1 ? path : `${path.slice(0, end)}%…`;
  return plain.replace(keyLike, '…');
}
