import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { networkOf } from './addresses.ts';
import type { Request } from './request.ts';

/** Idle connections are kept longer than the 60 s of usual proxies, so that proxies close first. */
export const KEEP_ALIVE_MS = 72_000;
/** A client that may still be sending has this long to read its answer. */
const CLOSE_GRACE_MS = 1_000;
/** A flood of refused connections must not flood the log. */
const REJECTION_LOG_INTERVAL_MS = 10_000;
/** Of all connections together: a pipelined request takes some 4 KB, until its connection is closed. */
const MAX_PIPELINED = 10_000;
export const CHECKS_PER_TIMEOUT = 12;

export interface ConnectionLimits {
  readonly most?: number | undefined;
  readonly maxPerAddress?: number | undefined;
  /** A client has this long to send a request, and to take something more of its answer. */
  readonly timeoutMs: number;
}

/** A connection is idle, has one request under way, or is over. A request that comes when it is not idle is pipelined. */
export interface Connection {
  readonly network: string;
  underWay: { readonly request: Request; readonly res: ServerResponse } | undefined;
  /** Answered before its body had come. */
  unreadRequest?: IncomingMessage | undefined;
  isOver: boolean;
  pipelined: number;
  idleSince: number;
  /** Bytes of answers that the system took, and when it last took some. */
  bytesTaken: number;
  takenAt: number;
}

export type Connections = ReturnType<typeof watchConnections>;

export function watchConnections(server: Server, log: Logger, limits: ConnectionLimits) {
  const { most, maxPerAddress = Number.POSITIVE_INFINITY, timeoutMs } = limits;
  const open = new Map<Duplex, Connection>();
  const ofNetwork = new Map<string, number>();
  let pipelined = 0;
  const domainErrors = { total: 0, sinceLogged: 0, loggedAt: Number.NEGATIVE_INFINITY };

  if (most !== undefined) server.maxConnections = most;
  server.on('drop', countRejection);
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    if ((ofNetwork.get(network) ?? 0) < maxPerAddress) return add(socket, network);
    socket.destroy();
    countRejection();
  });
  const checks = setInterval(() => closeStalled(open, timeoutMs), timeoutMs / CHECKS_PER_TIMEOUT).unref();
  server.once('close', () => clearInterval(checks));

  function countRejection(): void {
    domainErrors.total++;
    domainErrors.sinceLogged++;
    if (performance.now() - domainErrors.loggedAt < REJECTION_LOG_INTERVAL_MS) return;
    const counts = { most, maxPerAddress: limits.maxPerAddress, rejected: domainErrors.sinceLogged };
    log.warn(counts, 'connections were refused: as many as allowed are open');
    domainErrors.loggedAt = performance.now();
    domainErrors.sinceLogged = 0;
  }

  function add(socket: Socket, network: string): void {
    const now = performance.now();
    const times = { idleSince: now, bytesTaken: 0, takenAt: now };
    const connection: Connection = { underWay: undefined, isOver: false, pipelined: 0, ...times, network };
    open.set(socket, connection);
    ofNetwork.set(network, (ofNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => {
      open.delete(socket);
      pipelined -= connection.pipelined;
      const left = (ofNetwork.get(network) ?? 1) - 1;
      if (left > 0) ofNetwork.set(network, left);
      else ofNetwork.delete(network);
    });
  }

  return {
    open,

    count() {
      const underWay = open.values().filter((connection) => connection.underWay);
      return { open: open.size, underWay: [...underWay].length, rejected: domainErrors.total };
    },

    isFlushing(): boolean {
      const responses = open.values().map(({ underWay }) => underWay?.res);
      return responses.some((res) => res?.writableEnded && !res.writableFinished);
    },

    /** Closes the connection after the answer under way, as RFC 9112 allows (9.3.2). Nothing more is read from it. */
    rejectPipelined(socket: Socket, connection: Connection): void {
      if (connection.underWay) connection.underWay.request.isFollowed = true;
      socket.pause();
      connection.pipelined++;
      pipelined++;
      if (pipelined > MAX_PIPELINED) socket.destroy();
    },
  };
}

/** Closes what Node leaves open: those whose client takes nothing of its answer, or sends only empty lines after it. */
function closeStalled(open: ReadonlyMap<Duplex, Connection>, timeoutMs: number): void {
  const now = performance.now();
  for (const [socket, connection] of open as ReadonlyMap<Socket, Connection>) {
    const bytesTaken = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength === 0 || bytesTaken !== connection.bytesTaken) connection.takenAt = now;
    connection.bytesTaken = bytesTaken;
    const isStalled = now - connection.takenAt > timeoutMs;
    const isIdle = !connection.underWay && now - connection.idleSince > KEEP_ALIVE_MS + 2 * timeoutMs;
    if (isStalled || isIdle) socket.destroy();
  }
}

/** Closing a connection with unread bytes resets it: its client first gets time to read the answer. */
export function closeLater(socket: Duplex): void {
  const late = setTimeout(() => (socket as Socket).destroySoon(), CLOSE_GRACE_MS);
  socket.end().once('close', () => clearTimeout(late));
}
