import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Response, readResponse } from './responses.ts';

/** Far longer than any response takes on the slowest machine. */
export const TIMEOUT_MS = 180_000;

/** A connection for one raw request after the other. */
export interface Connection {
  /** Undefined if the connection was closed without a response byte. */
  exchange(bytes: Buffer, method: string): Promise<Response | undefined>;
  close(): void;
}

/** Reconnects whenever the service has closed the connection. */
export function openConnection(origin: string): Connection {
  const { hostname, port } = new URL(origin);
  let socket: Socket | undefined;
  const open = async () => {
    if (socket && !socket.destroyed && socket.writable && !socket.readableEnded) return socket;
    socket?.destroy();
    socket = connect(Number(port), hostname).setNoDelay();
    await once(socket, 'connect');
    socket.on('error', () => {});
    return socket;
  };
  return {
    async exchange(bytes, method) {
      const used = await open();
      const response = await respondOn(used, bytes, method);
      const isOver = !response || response.headers.get('connection') === 'close' || endless(response);
      if (isOver) used.destroy();
      return response;
    },
    close: () => socket?.destroy(),
  };
}

function endless({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

function respondOn(socket: Socket, bytes: Buffer, method: string): Promise<Response | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Response | undefined>();
  let received: Buffer = Buffer.alloc(0);
  const parse = (closed: boolean) => {
    try {
      const response = received.length > 0 ? readResponse(received, 0, method, closed) : undefined;
      if (response || closed) resolve(response);
    } catch (error) {
      reject(error);
    }
  };
  const take = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    parse(false);
  };
  const closed = () => parse(true);
  const timer = setTimeout(() => reject(new Error('no response arrived')), TIMEOUT_MS);
  socket.on('data', take).on('close', closed).on('end', closed);
  socket.write(bytes);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('data', take).off('close', closed).off('end', closed);
  });
}
