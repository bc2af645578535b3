import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Response, readResponse } from './responses.ts';

/** Far longer than any response takes on the slowest machine. */
export const TIMEOUT_MS = 180_000;

/** Sends raw requests one after another. */
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
      const response = await sendAndRead(used, bytes, method);
      const isOver = !response || response.headers.get('connection') === 'close' || isEndless(response);
      if (isOver) used.destroy();
      return response;
    },
    close: () => socket?.destroy(),
  };
}

function isEndless({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

function sendAndRead(socket: Socket, bytes: Buffer, method: string): Promise<Response | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Response | undefined>();
  let received: Buffer = Buffer.alloc(0);
  const parse = (isClosed: boolean) => {
    try {
      const response = received.length > 0 ? readResponse(received, 0, method, isClosed) : undefined;
      if (response || isClosed) resolve(response);
    } catch (error) {
      reject(error);
    }
  };
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    parse(false);
  };
  const onClose = () => parse(true);
  const timer = setTimeout(() => reject(new Error('no response arrived')), TIMEOUT_MS);
  socket.on('data', onData).on('close', onClose).on('end', onClose);
  socket.write(bytes);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('data', onData).off('close', onClose).off('end', onClose);
  });
}
