import { connect } from 'node:net';
import { ATTACKER, MAX_MS } from './scene.ts';

export interface Flood {
  readonly connections: number;
  /** How many requests are pipelined on each connection. */
  readonly pipelined: number;
  /** Whether to read responses. */
  readonly reads?: boolean;
  /** Whether to send the requests again after each response, until time is up. */
  readonly repeat?: boolean;
}

export interface FloodResult {
  readonly megabytes: number;
  /** Responses that began; each has one status line. */
  readonly responses: number;
}

const STATUS_LINE = 'HTTP/1.1 ';

/** Sends all requests at once and reads until every response has begun or time is up. */
export async function flood(
  origin: string,
  request: string,
  { connections, pipelined, reads = true, repeat = false }: Flood,
): Promise<FloodResult> {
  const { hostname, port } = new URL(origin);
  const bytes = Buffer.from(request.repeat(pipelined));
  let received = 0;
  let responses = 0;
  const one = () =>
    new Promise<void>((resolve) => {
      let left = pipelined;
      const socket = connect({ port: Number(port), host: hostname, localAddress: ATTACKER }, () =>
        socket.write(bytes),
      );
      const done = () => {
        clearTimeout(timer);
        socket.destroy();
        resolve();
      };
      const timer = setTimeout(done, MAX_MS);
      socket.on('error', done).on('close', done);
      if (!reads) return;
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        for (let at = chunk.indexOf(STATUS_LINE); at !== -1; at = chunk.indexOf(STATUS_LINE, at + 1)) {
          responses++;
          if (repeat) socket.write(bytes);
          else left--;
        }
        if (left === 0) done();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  return { megabytes: Math.round(received / 1024 / 1024), responses };
}
