import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often in the allowed time a connection is looked at. */
const LOOKS = 6;

/**
 * Closes connections on which nothing moved for so long. Node's own timeout would take up to twice that for a client
 * that does not read: it looks once in that time, and the first time always finds that something was sent.
 */
export function closeWhenSilent(server: Server, silenceMs: number): void {
  const interval = silenceMs / LOOKS;
  const silent = new WeakMap<Socket, { since: number; seen: number; moved: number }>();
  server.setTimeout(interval, (socket: Socket) => {
    // It waited for its next request, which has a timeout of its own.
    if (socket.timeout !== interval) return void socket.destroy();
    const now = performance.now();
    const moved = socket.bytesRead + socket.bytesWritten;
    const before = silent.get(socket);
    // Node leaves out the look after which a part of what waits was sent.
    const stillSilent = before?.moved === moved && now - before.seen < 1.9 * interval;
    const since = stillSilent ? before.since : now - interval;
    if (now - since > silenceMs - interval / 2) return void socket.destroy();
    silent.set(socket, { since, seen: now, moved });
    socket.setTimeout(interval);
  });
}
