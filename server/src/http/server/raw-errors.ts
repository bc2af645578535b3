import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type ErrorCode, errorBody } from '../errors.ts';
import { type Connections, closeAfterGrace } from './connections.ts';
import { http } from './node-http.ts';

export const MAX_URL_LENGTH = 8 * 1024;
export const MAX_HEADER_BYTES = 32 * 1024;

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Responds to input that never becomes a request: malformed HTTP, headers beyond the limit, CONNECT. */
export function respondToRawErrors(server: Server, connections: Connections, log: Logger): void {
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    // Node removes its own error listener here: without one, a disconnect would crash the process.
    socket.on('error', () => socket.destroy());
    fail(socket, 'method_not_allowed', 'CONNECT');
  });
  server.on('clientError', (error: ParserError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else fail(socket, codeFor(error), error.code ?? error.message);
  });

  function fail(socket: Duplex, code: ErrorCode, reason: string): void {
    const connection = connections.bySocket.get(socket);
    const { request, res } = connection?.active ?? {};
    if (connection) connection.isClosing = true;
    // A complete request preceded the malformed bytes: its response is still sent.
    if (request?.raw.complete) request.hasTrailingData = true;
    else if (res?.headersSent || connection?.unreadRequest?.complete === false) socket.destroy();
    else sendError(socket, code, log, reason);
  }
}

/** Recognizes a long target only if the packet starts with the request line. */
const longTarget = new RegExp(`^\\s*[A-Z-]+ \\S{${MAX_URL_LENGTH}}`);

function codeFor({ code, rawPacket: packet, bytesParsed = 0 }: ParserError): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (code === 'HPE_INVALID_METHOD' && packet && isRequestLine(packet, bytesParsed)) return 'not_implemented';
  if (code !== 'HPE_HEADER_OVERFLOW') return 'bad_request';
  return packet && longTarget.test(packet.toString('latin1')) ? 'uri_too_long' : 'headers_too_large';
}

function isRequestLine(packet: Buffer, stoppedAt: number): boolean {
  const start = packet.lastIndexOf('\n', Math.max(0, stoppedAt - 1)) + 1;
  const line = packet.toString('latin1', start, start + MAX_URL_LENGTH);
  return /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/.test(line);
}

function sendError(socket: Duplex, code: ErrorCode, log: Logger, reason: string): void {
  const body = errorBody(code);
  const id = randomUUID();
  const json = JSON.stringify(body);
  const allow = code === 'method_not_allowed' ? 'Allow: GET, HEAD\r\n' : '';
  socket.write(
    `HTTP/1.1 ${body.status} ${http.STATUS_CODES[body.status]}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n` +
      `Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\n${allow}X-Request-Id: ${id}\r\nConnection: close\r\n\r\n${json}`,
  );
  closeAfterGrace(socket);
  log.info({ id, status: body.status, reason }, 'malformed request');
}
