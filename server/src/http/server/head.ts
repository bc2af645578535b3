import type { ServerResponse } from 'node:http';
import { headersIn } from './header-lines.ts';
import { KEEP_ALIVE_MS } from './http-server.ts';
import { STATUS_CODES } from './node-http.ts';

/** What a response of Node keeps of its head until that is sent with the beginning of the body. */
interface Unsent {
  _header: string;
  _hasBody: boolean;
  _keepAliveTimeout: number;
  _expect_continue: boolean;
  _sent100: boolean;
}

/**
 * Writes the head of an answer whose body is at hand as one text. Node's way is to check and copy header by header, a
 * tenth of the work of a small answer. It stays wherever the connection is to end.
 */
export function writeHead(
  response: ServerResponse,
  status: number,
  lines: string,
  headers: readonly string[],
): void {
  const unsent = response as unknown as Unsent;
  // Whether a client that was not told to go on still sends its body is not known.
  const isUnclear = unsent._expect_continue && !unsent._sent100;
  const ends = !response.shouldKeepAlive || isUnclear || headers.includes('connection');
  if (ends || response.req.httpVersion !== '1.1') {
    writeHeadByNode(response, status, lines, headers);
    return;
  }
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  unsent._header = text + commonLines();
  if (status === 204 || status === 304) unsent._hasBody = false;
  response.statusCode = status;
}

/** Node's way. That connections are kept, which it does not look after, is for it to say all the same. */
export function writeHeadByNode(
  response: ServerResponse,
  status: number,
  lines: string,
  headers: readonly string[],
): void {
  (response as unknown as Unsent)._keepAliveTimeout = KEEP_ALIVE_MS;
  response.writeHead(status, [...headersIn(lines), ...headers]);
}

const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;
let common = '';
let second = 0;

/** What Node adds to every head. The date is one of seconds, and is written once for all answers of a second. */
function commonLines(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    common = `Date: ${new Date(now * 1000).toUTCString()}\r\n${KEEP_ALIVE}`;
    second = now;
  }
  return common;
}
