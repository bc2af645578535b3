import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type ErrorCode, errorBody } from '../errors.ts';
import { STATUS_CODES } from './node-http.ts';
import { afterAnswers } from './pipelining.ts';
import { requestId } from './request-id.ts';

/** The longest request target we accept; Node's own limit, on all headers together, is higher. */
export const MAX_URL_LENGTH = 8 * 1024;
export const MAX_HEADER_BYTES = 32 * 1024;

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** Answers what never becomes a request: bytes that are not HTTP, headers beyond the limit, CONNECT. */
export function answerRawErrors(server: Server, log: Logger): void {
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    // Node hands the connection over without its own listeners: a client that left would end the process.
    socket.on('error', () => socket.destroy());
    // Nobody reads from it any more, and so nobody would see the client close.
    socket.once('finish', () => socket.destroy());
    afterAnswers(socket, () => answer(socket, 'method_not_allowed', log, 'CONNECT'));
  });
  // An answer that waits for its turn has no socket yet: said now, this would stand inside the one before it.
  server.on('checkContinue', (request, response) => {
    if (response.socket !== null) response.writeContinue();
    server.emit('request', request, response);
  });
  // An expectation we do not know is ignored, as RFC 9110 allows: the request is answered as it stands.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

export function answerClientError(error: ParserError, socket: Duplex, log: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  afterAnswers(socket, () => answer(socket, codeFor(error), log, error.code ?? error.message));
}

function codeFor({ code, rawPacket }: ParserError): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (code !== 'HPE_HEADER_OVERFLOW') return 'bad_request';
  // Overflow before the first line ended: it is the target that is too long.
  const firstLine = Buffer.isBuffer(rawPacket) ? rawPacket.indexOf('\n') : 0;
  return firstLine === -1 || firstLine > MAX_URL_LENGTH ? 'uri_too_long' : 'headers_too_large';
}

function answer(socket: Duplex, code: ErrorCode, log: Logger, reason: string): void {
  // The answer before may have been the last of its connection.
  if (!socket.writable) return;
  const body = errorBody(code);
  const id = requestId(undefined);
  const json = JSON.stringify(body);
  const allow = code === 'method_not_allowed' ? 'Allow: GET, HEAD\r\n' : '';
  socket.end(
    `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n` +
      `Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\n${allow}X-Request-Id: ${id}\r\nConnection: close\r\n\r\n${json}`,
  );
  log.info({ id, status: body.status, reason }, 'not a request');
}
