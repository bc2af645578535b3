import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { forwardedAddress } from './addresses.ts';
import { requestFrom } from './arrival.ts';
import { CHECKS_PER_TIMEOUT, type ConnectionLimits, KEEP_ALIVE_MS, watchConnections } from './connections.ts';
import { defaultInFlightLimits, type InFlightLimits, openInFlightBytes } from './in-flight-bytes.ts';
import { http } from './node-http.ts';
import { MAX_HEADER_BYTES, respondToRawErrors } from './raw-errors.ts';
import type { Request } from './request.ts';

const TIMEOUT_MS = 60_000;
/** Filling a store with a large data set may keep a connection silent for so long. */
const RESPONSE_TIMEOUT_MS = 3_600_000;
const CHECK_MS = 20;
/** After this long, connections are closed whatever is under way. */
const GRACE_MS = 8_000;

export interface ConnectionOptions extends Partial<ConnectionLimits> {
  /** How long a stop waits for requests in progress. */
  readonly graceMs?: number | undefined;
  readonly inFlight?: InFlightLimits;
}

export function openHttpServer(
  handle: (request: Request, res: ServerResponse) => void,
  log: Logger,
  options: ConnectionOptions & { readonly trustProxy: boolean },
) {
  const {
    timeoutMs = TIMEOUT_MS,
    graceMs = GRACE_MS,
    trustProxy,
    inFlight: inFlightLimits,
    ...limits
  } = options;
  const inFlight = openInFlightBytes(inFlightLimits ?? defaultInFlightLimits);
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
  const connections = watchConnections(server, log, { ...limits, timeoutMs });
  let isStopping = false;

  const take = (raw: IncomingMessage, res: ServerResponse) => {
    const { socket } = raw;
    const connection = connections.open.get(socket);
    if (!connection || socket.destroyed) return;
    if (connection.underWay || connection.isOver) return connections.rejectPipelined(socket, connection);
    const forwarded = trustProxy ? forwardedAddress(raw.headers) : '';
    const disconnect = () => {
      log.warn({ id: request.id }, 'connection closed: its client is slow, and too many bytes are in flight');
      socket.destroy();
    };
    const request = requestFrom(raw, forwarded || connection.network, (what, bytes) =>
      inFlight.hold(request.caller?.tenantId ?? request.address, what, bytes, disconnect),
    );
    request.closesConnection ||= isStopping;
    connection.underWay = { request, res };
    // Node reads on when somebody reads the body. Until then, chunks of one byte would take 200 bytes each.
    if (raw.headers['transfer-encoding'] !== undefined) socket.pause();
    res.on('close', () => {
      connection.underWay = undefined;
      connection.unreadRequest = raw.complete ? undefined : raw;
      connection.idleSince = performance.now();
      if (!request.closesConnection && !request.isFollowed) return;
      connection.isOver = true;
      socket.destroySoon();
    });
    handle(request, res);
  };

  server.on('request', take);
  server.on('checkContinue', (raw, res) => {
    const connection = connections.open.get(raw.socket);
    // A pipelined request is not invited to send what nobody will read.
    if (!connection?.underWay && !connection?.isOver) res.writeContinue();
    take(raw, res);
  });
  // An unknown expectation is ignored, as RFC 9110 allows.
  server.on('checkExpectation', take);
  respondToRawErrors(server, connections, log);

  return {
    server,
    connections,
    inFlight,
    /** Clients have `leaveMs` to be told, with their next answer, that their connection ends. */
    async stop(leaveMs: number): Promise<void> {
      if (!server.listening) return;
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      isStopping = true;
      for (const { underWay } of connections.open.values())
        if (underWay) underWay.request.closesConnection = true;
      const until = performance.now() + leaveMs;
      while (connections.open.size > 0 && performance.now() < until) await sleep(CHECK_MS);
      // `close()` also closes connections whose ended answer is not sent whole.
      while (connections.isFlushing()) await sleep(CHECK_MS);
      const closed = once(server, 'close');
      server.close();
      // A connection that was made just before may have its request on the way.
      await Promise.race([closed, sleep(leaveMs)]);
      for (const [socket, { underWay }] of connections.open) if (!underWay) socket.destroy();
      await closed;
      clearTimeout(late);
    },
  };
}
