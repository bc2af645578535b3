import type { IncomingMessage } from 'node:http';

/** A client that never finishes its request is not waited for longer than this. */
const LATE_MS = 1_000;

/**
 * Closes the connection of a request after what was written to it. A system that has bytes left unread would reset it
 * instead, so that the rest of the request is taken first.
 */
export function closeQuietly(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete) {
    socket.destroySoon();
    return;
  }
  const close = () => {
    clearTimeout(late);
    socket.destroySoon();
  };
  const late = setTimeout(close, LATE_MS);
  request.once('end', close).resume();
}
