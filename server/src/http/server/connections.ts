import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { postponeSlices } from '../../concurrency/yield-to-event-loop.ts';
import { networkOf } from './addresses.ts';
import type { Request } from './request.ts';

/** Longer than the 60 s of common proxies, so that proxies close idle connections first. */
export const KEEP_ALIVE_MS = 72_000;
/** Time for a client to read its last response before the connection is closed. */
const CLOSE_GRACE_MS = 1_000;
const REJECTION_LOG_INTERVAL_MS = 10_000;
/** Over all connections: a pipelined request takes about 4 KB until its connection is closed. */
const MAX_PIPELINED = 10_000;
export const CHECKS_PER_TIMEOUT = 12;

export interface ConnectionLimits {
  readonly max?: number | undefined;
  readonly maxPerAddress?: number | undefined;
  /** Time for a client to send a request, and to read more of a response. */
  readonly timeoutMs: number;
}

/** A connection is idle, has one active request, or is closing. Requests that arrive while it is not idle are pipelined. */
export interface Connection {
  readonly network: string;
  active: { readonly request: Request; readonly res: ServerResponse } | undefined;
  /** The previous request, if its response was sent before its body arrived. */
  unreadRequest?: IncomingMessage | undefined;
  isClosing: boolean;
  pipelined: number;
  idleSince: number;
  /** Response bytes handed to the kernel, and when that number last grew. */
  bytesFlushed: number;
  flushedAt: number;
}

export type Connections = ReturnType<typeof watchConnections>;

export function watchConnections(server: Server, log: Logger, limits: ConnectionLimits) {
  const { max, maxPerAddress = Number.POSITIVE_INFINITY, timeoutMs } = limits;
  const bySocket = new Map<Duplex, Connection>();
  const countByNetwork = new Map<string, number>();
  let pipelined = 0;
  const rejected = { total: 0, sinceLogged: 0, loggedAt: Number.NEGATIVE_INFINITY };

  if (max !== undefined) server.maxConnections = max;
  server.on('drop', countRejection);
  server.on('connection', (socket) => {
    postponeSlices();
    const network = networkOf(socket.remoteAddress ?? '');
    if ((countByNetwork.get(network) ?? 0) < maxPerAddress) return add(socket, network);
    socket.destroy();
    countRejection();
  });
  const checks = setInterval(() => closeStalled(bySocket, timeoutMs), timeoutMs / CHECKS_PER_TIMEOUT).unref();
  server.once('close', () => clearInterval(checks));

  function countRejection(): void {
    postponeSlices();
    rejected.total++;
    rejected.sinceLogged++;
    if (performance.now() - rejected.loggedAt < REJECTION_LOG_INTERVAL_MS) return;
    const counts = { max, maxPerAddress: limits.maxPerAddress, rejected: rejected.sinceLogged };
    log.warn(counts, 'connections rejected: connection limit reached');
    rejected.loggedAt = performance.now();
    rejected.sinceLogged = 0;
  }

  function add(socket: Socket, network: string): void {
    const now = performance.now();
    const times = { idleSince: now, bytesFlushed: 0, flushedAt: now };
    const connection: Connection = { active: undefined, isClosing: false, pipelined: 0, ...times, network };
    bySocket.set(socket, connection);
    countByNetwork.set(network, (countByNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => {
      bySocket.delete(socket);
      pipelined -= connection.pipelined;
      const left = (countByNetwork.get(network) ?? 1) - 1;
      if (left > 0) countByNetwork.set(network, left);
      else countByNetwork.delete(network);
    });
  }

  return {
    bySocket,

    count() {
      const active = [...bySocket.values()].filter((connection) => connection.active).length;
      return { open: bySocket.size, active, rejected: rejected.total };
    },

    isFlushing(): boolean {
      const responses = bySocket.values().map(({ active }) => active?.res);
      return responses.some((res) => res?.writableEnded && !res.writableFinished);
    },

    /** The connection is closed after the active response, as RFC 9112 allows (9.3.2), and not read any further. */
    rejectPipelined(socket: Socket, connection: Connection): void {
      if (connection.active) connection.active.request.hasTrailingData = true;
      socket.pause();
      connection.pipelined++;
      pipelined++;
      if (pipelined > MAX_PIPELINED) socket.destroy();
    },
  };
}

/** Closes connections that Node's timeouts miss: clients that do not read, or that send only blank lines between requests. */
function closeStalled(bySocket: ReadonlyMap<Duplex, Connection>, timeoutMs: number): void {
  const now = performance.now();
  for (const [socket, connection] of bySocket as ReadonlyMap<Socket, Connection>) {
    const bytesFlushed = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength === 0 || bytesFlushed !== connection.bytesFlushed) connection.flushedAt = now;
    connection.bytesFlushed = bytesFlushed;
    const isStalled = now - connection.flushedAt > timeoutMs;
    // Later than Node's own timeouts, which apply first.
    const isIdle = !connection.active && now - connection.idleSince > KEEP_ALIVE_MS + 2 * timeoutMs;
    if (isStalled || isIdle) socket.destroy();
  }
}

/** Closing with unread bytes would send a TCP reset, so the client first gets time to read the response. */
export function closeAfterGrace(socket: Duplex): void {
  const timer = setTimeout(() => (socket as Socket).destroySoon(), CLOSE_GRACE_MS);
  socket.end().once('close', () => clearTimeout(timer));
}
