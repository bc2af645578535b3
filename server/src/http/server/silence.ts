import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { waitsFor } from './pipelining.ts';

/** How often in the allowed time connections are looked at. */
const LOOKS = 12;

/** Our own work, such as making a large store anew, may take so many times as long: an hour. */
const ANSWERS = 60;

interface AllowedSilence {
  /** While it is the client's turn to send the rest of a request, or to read. */
  readonly silenceMs: number;
  /** Between two requests. */
  readonly idleMs: number;
}

/**
 * Closes connections on which nothing moved for so long. All of them are looked at together: the timers that Node has
 * for each are set anew at every request and at every read and write, which took a twentieth of a list's time.
 */
export function closeWhenSilent(server: Server, { silenceMs, idleMs }: AllowedSilence): void {
  const connections = new Map<Socket, { moved: number; waits: ReturnType<typeof waitsFor>; since: number }>();
  server.on('connection', (socket) => {
    connections.set(socket, { moved: 0, waits: 'client', since: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  const interval = silenceMs / LOOKS;
  const allowed = {
    client: silenceMs - interval / 2,
    'next request': idleMs,
    answer: ANSWERS * silenceMs,
  };
  const look = () => {
    const now = performance.now();
    for (const [socket, last] of connections) {
      const moved = movedOn(socket);
      const waits = waitsFor(socket);
      if (moved !== last.moved || waits !== last.waits) Object.assign(last, { moved, waits, since: now });
      else if (now - last.since > allowed[waits]) socket.destroy();
    }
  };
  const timer = setInterval(look, interval).unref();
  server.once('close', () => clearInterval(timer));
}

/** Bytes that came or went. Of a large write, what the system has taken so far counts. */
function movedOn(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle: { writeQueueSize: number } | null };
  return socket.bytesRead + socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}
