import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { networkOf } from './client-address.ts';
import type { Request } from './request.ts';

/** Idle connections are kept longer than the 60 s of usual proxies, so that proxies close first. */
export const KEEP_ALIVE_MS = 72_000;
/** A client that may still be sending has this long to read its answer. */
export const LINGER_MS = 1_000;
/** A flood of refused connections must not flood the log. */
const REFUSALS_LOGGED_MS = 10_000;
/** A refused request takes some 4 KB, until its connection is closed. */
const MOST_PIPELINED = 10_000;
export const CHECKS_IN_PATIENCE = 12;

export interface ConnectionLimits {
  readonly most?: number | undefined;
  readonly mostOfAddress?: number | undefined;
  /** A client has this long to send a request, and to take something more of its answer. */
  readonly patienceMs: number;
}

/** A connection is idle, has one request under way, or is over. A request that comes when it is not idle is pipelined. */
export interface Connection {
  underWay: { readonly request: Request; readonly response: ServerResponse } | undefined;
  isOver: boolean;
  pipelined: number;
  idleSince: number;
  /** Bytes of answers that the system took, and when it last took some. */
  bytesTaken: number;
  takenAt: number;
}

export class Connections {
  readonly open = new Map<Duplex, Connection>();
  readonly #ofNetwork = new Map<string, number>();
  readonly #limits: ConnectionLimits;
  readonly #log: Logger;
  #pipelined = 0;
  #refused = 0;
  #refusedSinceLog = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(server: Server, log: Logger, limits: ConnectionLimits) {
    this.#limits = limits;
    this.#log = log;
    const { most, mostOfAddress = Number.POSITIVE_INFINITY, patienceMs } = limits;
    if (most !== undefined) server.maxConnections = most;
    server.on('drop', () => this.#refuse());
    server.on('connection', (socket) => {
      const network = networkOf(socket.remoteAddress ?? '');
      if ((this.#ofNetwork.get(network) ?? 0) < mostOfAddress) return this.#add(socket, network);
      socket.destroy();
      this.#refuse();
    });
    const checks = setInterval(() => this.#closeStalled(), patienceMs / CHECKS_IN_PATIENCE).unref();
    server.once('close', () => clearInterval(checks));
  }

  count() {
    const underWay = this.open.values().filter((connection) => connection.underWay);
    return { open: this.open.size, underWay: [...underWay].length, refused: this.#refused };
  }

  isFlushing(): boolean {
    return [...this.open.values()].some(
      ({ underWay }) => underWay?.response.writableEnded && !underWay.response.writableFinished,
    );
  }

  /** Closes the connection after the answer under way, as RFC 9112 allows (9.3.2). Nothing more is read from it. */
  refusePipelined(socket: Socket, connection: Connection): void {
    if (connection.underWay) connection.underWay.request.closesConnection = true;
    socket.pause();
    connection.pipelined++;
    this.#pipelined++;
    if (this.#pipelined > MOST_PIPELINED) socket.destroy();
  }

  #add(socket: Socket, network: string): void {
    const now = performance.now();
    const times = { idleSince: now, bytesTaken: 0, takenAt: now };
    const connection: Connection = { underWay: undefined, isOver: false, pipelined: 0, ...times };
    this.open.set(socket, connection);
    this.#ofNetwork.set(network, (this.#ofNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => {
      this.open.delete(socket);
      this.#pipelined -= connection.pipelined;
      const left = (this.#ofNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#ofNetwork.set(network, left);
      else this.#ofNetwork.delete(network);
    });
  }

  #refuse(): void {
    this.#refused++;
    this.#refusedSinceLog++;
    if (performance.now() - this.#loggedAt < REFUSALS_LOGGED_MS) return;
    const { most, mostOfAddress } = this.#limits;
    const counts = { most, mostOfAddress, refused: this.#refusedSinceLog };
    this.#log.warn(counts, 'connections were refused: as many as allowed are open');
    this.#loggedAt = performance.now();
    this.#refusedSinceLog = 0;
  }

  /** Closes those whose client takes nothing of its answer, or asks for nothing, whatever else it sends meanwhile. */
  #closeStalled(): void {
    const now = performance.now();
    const { patienceMs } = this.#limits;
    for (const [socket, connection] of this.open as Map<Socket, Connection>) {
      const bytesTaken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || bytesTaken !== connection.bytesTaken) connection.takenAt = now;
      connection.bytesTaken = bytesTaken;
      const isStalled = now - connection.takenAt > patienceMs;
      const isIdle = !connection.underWay && now - connection.idleSince > KEEP_ALIVE_MS + 2 * patienceMs;
      if (isStalled || isIdle) socket.destroy();
    }
  }
}
