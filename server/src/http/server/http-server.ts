import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { forwardedAddress } from './addresses.ts';
import { CHECKS_PER_TIMEOUT, type ConnectionLimits, KEEP_ALIVE_MS, watchConnections } from './connections.ts';
import { createInFlightBytes, defaultInFlightLimits, type InFlightLimits } from './in-flight-bytes.ts';
import { requestFrom } from './incoming-request.ts';
import { http } from './node-http.ts';
import { MAX_HEADER_BYTES, respondToRawErrors } from './raw-errors.ts';
import { ownerOf, type Request } from './request.ts';

const TIMEOUT_MS = 60_000;
/** Filling a store with a large data set may leave a connection silent this long. */
const RESPONSE_TIMEOUT_MS = 3_600_000;
const POLL_MS = 20;
/** Shutdown closes every connection after this time, even one with an active request. */
const GRACE_MS = 8_000;

export interface ConnectionOptions extends Partial<ConnectionLimits> {
  readonly graceMs?: number | undefined;
  readonly inFlight?: InFlightLimits;
}

export function createHttpServer(
  handle: (request: Request, res: ServerResponse) => void,
  log: Logger,
  options: ConnectionOptions & { readonly trustProxy: boolean; readonly basePath: string },
) {
  const { timeoutMs = TIMEOUT_MS, graceMs = GRACE_MS } = options;
  const inFlight = createInFlightBytes(options.inFlight ?? defaultInFlightLimits);
  const server = http.createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    optimizeEmptyRequests: true,
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    connectionsCheckingInterval: timeoutMs / CHECKS_PER_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.timeout = RESPONSE_TIMEOUT_MS;
  const connections = watchConnections(server, log, { ...options, timeoutMs });
  let isStopping = false;

  const onRequest = (raw: IncomingMessage, res: ServerResponse) => {
    const { socket } = raw;
    const connection = connections.bySocket.get(socket);
    if (!connection || socket.destroyed) return;
    if (connection.active || connection.isClosing) return connections.rejectPipelined(socket, connection);
    const forwarded = options.trustProxy ? forwardedAddress(raw.headers) : '';
    const disconnect = () => {
      log.warn({ id: request.id }, 'slow client disconnected: limit of bytes in flight reached');
      socket.destroy();
    };
    const request = requestFrom(raw, {
      address: forwarded || connection.network,
      basePath: options.basePath,
      reserve: (buffer, bytes) => inFlight.reserve(ownerOf(request), buffer, bytes, disconnect),
      isBeyondUnreadLimit: () => inFlight.rejectsLongResponses(ownerOf(request)),
    });
    request.closesConnection ||= isStopping;
    connection.active = { request, res };
    // Node resumes the socket when the body is read. Until then, one-byte chunks would take 200 bytes each.
    if (raw.headers['transfer-encoding'] !== undefined) socket.pause();
    res.on('close', () => {
      connection.active = undefined;
      connection.unreadRequest = raw.complete ? undefined : raw;
      connection.idleSince = performance.now();
      if (!request.closesConnection && !request.hasTrailingData) return;
      connection.isClosing = true;
      socket.destroySoon();
    });
    handle(request, res);
  };

  server.on('request', onRequest);
  server.on('checkContinue', (raw, res) => {
    const connection = connections.bySocket.get(raw.socket);
    // The body of a pipelined request is never read, so the client gets no 100 Continue.
    if (!connection?.active && !connection?.isClosing) res.writeContinue();
    onRequest(raw, res);
  });
  // An unknown expectation is ignored, as RFC 9110 allows.
  server.on('checkExpectation', onRequest);
  respondToRawErrors(server, connections, log);

  return {
    server,
    connections,
    inFlight,
    /** For `reconnectMs`, responses carry `Connection: close`, so that keep-alive clients reconnect elsewhere. */
    async stop(reconnectMs: number): Promise<void> {
      if (!server.listening) return;
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      isStopping = true;
      for (const { active } of connections.bySocket.values())
        if (active) active.request.closesConnection = true;
      const deadline = performance.now() + reconnectMs;
      while (connections.bySocket.size > 0 && performance.now() < deadline) await sleep(POLL_MS);
      // `close()` would also close connections whose ended response is not flushed.
      while (connections.isFlushing()) await sleep(POLL_MS);
      const closed = once(server, 'close');
      server.close();
      // The request of a recently opened connection may still be in transit.
      await Promise.race([closed, sleep(reconnectMs)]);
      for (const [socket, { active }] of connections.bySocket) if (!active) socket.destroy();
      await closed;
      clearTimeout(timer);
    },
  };
}
