import type { Socket } from 'node:net';

/** Reading one costs some 10 µs, before anybody asks what it wants. */
const MOST_AHEAD_IN_A_TURN = 500;

/**
 * A turn of the event loop reads from every connection that has something, 64 KB of each: thousands of requests. As soon
 * as so many came ahead in one turn, the connections that were not read from yet are left for the next one, in which
 * others are answered first.
 */
export function readInTurns() {
  const open = new Set<Socket>();
  let left: Socket[] = [];
  let ahead = 0;

  const nextTurn = () => {
    for (const socket of left) socket.resume();
    left = [];
    ahead = 0;
  };

  return {
    opened(socket: Socket): void {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    /** Called for every request that came before the one before it was answered. */
    cameAhead(): void {
      ahead++;
      if (ahead === 1) setImmediate(nextTurn);
      if (ahead !== MOST_AHEAD_IN_A_TURN) return;
      left = [...open].filter((socket) => !socket.isPaused());
      for (const socket of left) socket.pause();
    },
  };
}
