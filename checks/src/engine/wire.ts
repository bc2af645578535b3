import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { isComplete, requestByteCount } from './request-length.ts';

/** Recorded characters per message. */
const MAX_RECORDED = 16_384;
/** Exchanges per run: connections are closed beyond it. */
const MAX_EXCHANGES = 1_000;

/** A request and its response, as sent on the wire: a character for each byte. */
export interface Exchange {
  /** The beginning of the request, and of the response. */
  request: string;
  response: string;
  /** Time of the first byte of each, in milliseconds. */
  readonly requestedAt: number;
  responseAt: number;
}

/** A recording proxy. Forwards bytes unchanged unless `change` is set. */
export interface Wire extends AsyncDisposable {
  readonly origin: string;
  readonly exchanges: Exchange[];
  /** Called when a request arrives. The request is forwarded once this resolves, with the changes made to `bytes`. */
  onRequest: (exchange: Exchange, bytes: Buffer) => Promise<Forwarded>;
  /** Transforms the bytes sent to the client. */
  change: (bytes: Buffer, exchange?: Exchange) => Changed;
}

interface Changed {
  readonly passed: Buffer;
  /** What happens to the connection afterwards: it is closed, or stays open without another byte. */
  readonly afterwards?: 'cut' | 'stall';
}

/** Bytes to send to the service; undefined leaves the request without a response. */
type Forwarded = Buffer | undefined;

export const forward: Wire['onRequest'] = async (_, bytes) => bytes;

export async function openWire(target: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(target, '127.0.0.1');
    let exchange: Exchange | undefined;
    let forwarding: Promise<unknown> = Promise.resolve();
    /** The client gets nothing more: no response, no error of the service's own timeouts, and no end. */
    let isSilent = false;
    client.on('data', (received: Buffer) => {
      for (let rest = received; rest.length > 0; ) rest = record(rest);
    });
    /** Records and forwards the bytes of one request, and returns those of the next. */
    const record = (all: Buffer): Buffer => {
      const isNew = !exchange || startsRequest(exchange, all);
      if (isNew) {
        if (wire.exchanges.length >= MAX_EXCHANGES) {
          client.destroy();
          return Buffer.alloc(0);
        }
        exchange = { request: '', response: '', requestedAt: Date.now(), responseAt: 0 };
        wire.exchanges.push(exchange);
      }
      const current = exchange as Exchange;
      const bytes = all.subarray(0, requestByteCount(current.request, all));
      if (current.request.length < MAX_RECORDED) current.request += bytes.toString('latin1');
      const toForward = isNew ? wire.onRequest(current, bytes) : Promise.resolve(bytes);
      // In order: later bytes wait for the earlier request.
      forwarding = forwarding.then(async () => {
        const forwarded = await toForward;
        // If a request is not forwarded, its rest must not be: the service would respond to it as a malformed request.
        isSilent ||= forwarded === undefined;
        if (forwarded && !isSilent) service.write(forwarded) || client.pause();
      });
      return all.subarray(bytes.length);
    };
    service.on('data', (bytes: Buffer) => {
      if (isSilent) return;
      const { passed, afterwards } = wire.change(bytes, exchange);
      isSilent = afterwards === 'stall';
      if (exchange) {
        exchange.responseAt ||= Date.now();
        if (exchange.response.length < MAX_RECORDED) exchange.response += passed.toString('latin1');
      }
      client.write(passed) || service.pause();
      if (afterwards === 'cut') service.destroy();
    });
    for (const [one, other] of [[client, service] as const, [service, client] as const]) {
      sockets.add(one);
      one.on('drain', () => other.resume());
      // The client is left waiting, even after the idle service has closed its connection.
      const isLeftWaiting = () => isSilent && one === service;
      one.on('end', () => void forwarding.then(() => isLeftWaiting() || other.end()));
      one.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNRESET' && !isLeftWaiting()) other.resetAndDestroy();
      });
      one.on('close', () => {
        sockets.delete(one);
        if (!isLeftWaiting()) other.destroySoon();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wire: Wire = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges: [],
    onRequest: forward,
    change: (passed) => ({ passed }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return wire;
}

/** Whether these bytes start another request: the last one is complete, and has a final response or is pipelined. */
function startsRequest({ request, response }: Exchange, bytes: Buffer): boolean {
  if (!isComplete(request)) return false;
  const hasResponse = response !== '' && !/^HTTP\/1.1 1/.test(response);
  return hasResponse || /^[A-Z]+ \S+ HTTP\/1/.test(bytes.toString('latin1', 0, 2_000));
}

/** The response status; undefined without a response. */
export function statusOf({ response }: Exchange): number | undefined {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** Method and path of the request. */
export function requestOf({ request }: Exchange): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = request.slice(0, request.indexOf('\r\n')).split(' ');
  return { method, path };
}

/** Method and path as one text: `GET /v1/pets`. */
export const callIn = (exchange: Exchange): string => Object.values(requestOf(exchange)).join(' ');

/** The value of a request or response header. */
export function headerOf(message: string, name: string): string | undefined {
  const [head = ''] = message.split('\r\n\r\n', 1);
  return new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'im').exec(head)?.[1];
}
