import { createServer, type RequestListener, type Server } from 'node:http';
import { MAX_HEADER_BYTES } from './raw-errors.ts';

/** A connection on which nothing moves for this long is given up. */
const SILENCE_MS = 60_000;
/** A connection takes this much of an answer at a time: what is sent together needs fewer turns. */
const WAITING_BYTES = 1024 * 1024;
/** How long a connection waits for its next request. */
const KEEP_ALIVE_MS = 72_000;

export function httpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      requestTimeout: SILENCE_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      highWaterMark: WAITING_BYTES,
    },
    listener,
  );
  return server.setTimeout(SILENCE_MS);
}
