import type { RequestListener, Server } from 'node:http';
import type { Logger } from 'pino';
import { createServer } from './node-http.ts';
import { oneAtATime } from './pipelining.ts';
import { MAX_HEADER_BYTES } from './raw-errors.ts';
import { readInTurns } from './reading.ts';
import { closeWhenSilent } from './silence.ts';

/** A connection on which nothing moves for this long is given up: a client that is only slow moves something. */
const SILENCE_MS = 60_000;
/** A connection takes this much of an answer at a time: by Node's own 64 KB, a large list takes 1.3 times as long. */
const WAITING_BYTES = 1024 * 1024;
/** How long a connection waits for its next request: longer than the 60 s of usual proxies, so that they close first. */
export const KEEP_ALIVE_MS = 72_000;
/** Refused connections are logged together, at most once in this time: a flood of them must not flood the log. */
const REFUSALS_LOGGED_MS = 10_000;

export interface ConnectionOptions {
  /** How many may be open at a time; one more is closed at once. */
  readonly most?: number | undefined;
  readonly silenceMs?: number;
}

export function httpServer(
  listener: RequestListener,
  log: Logger,
  { most, silenceMs = SILENCE_MS }: ConnectionOptions,
): Server {
  const reading = readInTurns();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      requestTimeout: silenceMs,
      keepAliveTimeout: 0,
      highWaterMark: WAITING_BYTES,
    },
    oneAtATime(listener, reading.cameAhead),
  );
  server.on('connection', reading.opened);
  closeWhenSilent(server, { silenceMs, idleMs: KEEP_ALIVE_MS });
  if (most !== undefined) limitConnections(server, most, log);
  return server;
}

function limitConnections(server: Server, most: number, log: Logger): void {
  server.maxConnections = most;
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    refused++;
    if (performance.now() - loggedAt < REFUSALS_LOGGED_MS) return;
    log.warn({ most, refused }, 'connections were refused: as many as allowed are open');
    loggedAt = performance.now();
    refused = 0;
  });
}
