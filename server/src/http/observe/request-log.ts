import type { Logger } from 'pino';
import { bareKeyInText } from '../../domain/key-format.ts';
import type { Exchange } from '../server/request.ts';

/** Logs one line per request: no headers, no query, and no API key that was put into the path. */
export function requestLog(log: Logger, withAddresses = false): (exchange: Exchange) => void {
  return (exchange) => {
    const { request, response } = exchange;
    const { id, caller, method, traceparent } = request;
    log[isRoutine(exchange) ? 'debug' : 'info']({
      id,
      key: caller?.keyId,
      method,
      path: loggedPath(request.url),
      status: response.status,
      error: response.error,
      ms: Math.round(exchange.ms * 1000) / 1000,
      address: withAddresses ? request.address : undefined,
      traceparent,
    });
  };
}

/** Successful page loads, reads by the console, and its requests for a token. */
function isRoutine({ request: { caller, method, url }, response: { status } }: Exchange): boolean {
  if (status >= 400) return false;
  if (method !== 'GET' && method !== 'HEAD') return url === '/console/api/token';
  return (caller?.sessionId ?? null) !== null || /^\/(console|docs|guides)?([/?]|$)/.test(url);
}

const MAX_PATH_LENGTH = 500;

/** Drops everything from the first escape on: escapes can hide an API key in too many ways. */
function loggedPath(url: string): string {
  const path = url.replace(/\?.*/s, '').replace(/%.*/s, '%…').replace(bareKeyInText, '…');
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}
