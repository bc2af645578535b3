import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What came ahead of its turn costs some 4 KB each. When so many wait, the connection with most of them is closed. */
const MOST_WAITING = 5_000;

/** The last response of each connection, whether it is under way, waits or is done. */
const latest = new WeakMap<Duplex, ServerResponse>();
/** Connections on which nothing more is begun. */
const failed = new WeakSet<Duplex>();

/**
 * Answers the requests of one connection one after the other. One that came while an answer is under way waits until
 * that is handed to the system, and nothing more is read from its connection meanwhile. It then starts in a turn of
 * the event loop of its own, so that every connection gets its turn.
 */
export function oneAtATime(listener: RequestListener, cameAhead: () => void): RequestListener {
  const waitingOn = new Map<Socket, { count: number }>();
  let waiting = 0;

  const hold = (socket: Socket) => {
    const connection = { count: 0 };
    waitingOn.set(socket, connection);
    socket.on('resume', () => {
      if (connection.count === 0) return;
      // A pause that came between the call of resume and its event did nothing, so resuming comes first.
      if (socket.isPaused()) socket.resume();
      else socket.pause();
    });
    socket.once('close', () => letGo(socket));
    return connection;
  };

  const letGo = (socket: Socket) => {
    const connection = waitingOn.get(socket);
    if (!connection) return;
    waiting -= connection.count;
    connection.count = 0;
    waitingOn.delete(socket);
  };

  const closeGreediest = () => {
    let [greediest, most] = [undefined as Socket | undefined, 0];
    for (const [socket, { count }] of waitingOn) if (count > most) [greediest, most] = [socket, count];
    if (!greediest) return;
    letGo(greediest);
    greediest.destroy();
  };

  const wait = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    cameAhead();
    // Of a connection that was closed, the rest of what was read at once still comes.
    if (socket.destroyed) return;
    if (waiting >= MOST_WAITING) closeGreediest();
    if (socket.destroyed) return;
    const connection = waitingOn.get(socket) ?? hold(socket);
    connection.count++;
    waiting++;
    socket.pause();
    const start = () => {
      if (response.destroyed || socket.destroyed) return;
      connection.count--;
      waiting--;
      if (connection.count === 0) socket.resume();
      if (!failed.has(socket)) listener(request, response);
    };
    response.once('socket', () => setImmediate(start));
  };

  // A response has no connection as long as one before it has.
  return (request, response) => {
    latest.set(request.socket, response);
    if (response.socket === null) wait(request, response);
    else listener(request, response);
  };
}

/** True if nothing was asked for on the connection since. */
export function isNewest({ socket }: IncomingMessage, response: ServerResponse): boolean {
  return latest.get(socket) === response;
}

/** What has to come next on a connection; the client has to send the rest of a request, or to read. */
export function waitsFor(socket: Socket): 'client' | 'answer' | 'next request' {
  const response = latest.get(socket);
  if (response?.writableFinished) return 'next request';
  // One that waits for the answers before it is not read any further, whether all of it came or not.
  const isAsked = response !== undefined && (response.socket === null || response.req.complete);
  return isAsked && socket.writableLength === 0 ? 'answer' : 'client';
}

/** Calls once, when everything that was asked for before the bytes that are no request is answered. */
export function afterAnswers(socket: Duplex, answer: () => void): void {
  if (failed.has(socket)) return;
  const response = latest.get(socket);
  const fail = () => {
    failed.add(socket);
    answer();
  };
  if (response === undefined || response.writableFinished) fail();
  else if (response.req.complete) response.once('finish', fail);
  // From here on it is the request itself that goes wrong: the answer is its own, unless it already has one.
  else if (response.headersSent) socket.destroy();
  else if (response.socket === null) response.once('socket', fail);
  else fail();
}
