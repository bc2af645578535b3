import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client that never finishes its request is not waited for longer than this. */
const LATE_MS = 1_000;

/** The connection, once every earlier answer on it was sent; undefined if it is gone by then. */
export function inItsTurn(response: ServerResponse): Promise<Socket | undefined> {
  if (response.socket) return Promise.resolve(response.socket.destroyed ? undefined : response.socket);
  return new Promise((resolve) => {
    response.once('socket', resolve);
    response.once('close', () => resolve(undefined));
  });
}

/**
 * Closes a connection after what was written to it. A system that has bytes left unread would reset it instead, so
 * that the rest of the request is taken first.
 */
export function closeQuietly(request: IncomingMessage, socket: Socket): void {
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
