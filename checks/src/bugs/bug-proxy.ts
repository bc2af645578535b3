import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { BugHooks } from './bug.ts';
import { type BugEffect, exchange } from './exchange.ts';
import type { ListedBug } from './listed-bug.ts';
import type { Operation } from './operations.ts';

export interface BugProxyOptions {
  /** The local port of the correct service. */
  readonly target: number;
  readonly hooks: BugHooks;
  /** The only operation affected; by default all are. */
  readonly operation?: Operation | undefined;
  readonly host?: string;
  readonly port?: number;
  /** The bug to show in the console. */
  readonly listedBug?: ListedBug;
  /** Adds the address of the client to `X-Forwarded-For`. */
  readonly addsForwardedFor?: boolean;
  readonly onEffect?: (effect: BugEffect) => void;
}

export interface BugProxy extends AsyncDisposable {
  readonly origin: string;
}

/** A proxy in front of a correct service: applies a bug's hooks and forwards everything else unchanged, with one upstream connection per client connection. */
export async function startBugProxy(options: BugProxyOptions): Promise<BugProxy> {
  const { target, host = '127.0.0.1', port = 0 } = options;
  const upstreams = new WeakMap<Socket, Upstream>();
  // Leaves it to the service to reject long URLs and a missing Host header, and to close idle connections.
  const server = http.createServer({ maxHeaderSize: 1 << 20, requireHostHeader: false, keepAliveTimeout: 0 });
  server.on('connection', (client) => upstreams.set(client, openUpstream(client, target)));
  const handle: http.RequestListener = (request, res) => {
    const upstream = upstreams.get(request.socket) as Upstream;
    res.sendDate = false;
    // Faults of the service reach the client: bytes that are not HTTP, a TCP reset, a closed connection.
    upstream.response = exchange(options, upstream.agent, request, res).catch(({ code = '', syscall }) => {
      if (code.startsWith('HPE_')) request.socket.end('this is not HTTP\r\n\r\n');
      else if (syscall === 'read') request.socket.resetAndDestroy();
      else request.socket.destroy();
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle);
  // The service handles malformed HTTP.
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, client) => {
    if (!client.writable) return client.destroy();
    const raw = connect(target, '127.0.0.1', () => raw.write(error.rawPacket ?? ''));
    pipeline(raw, client).catch(() => client.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Each client connection has its own connection to the service, with the same lifetime. */
interface Upstream {
  readonly agent: http.Agent;
  response: Promise<void>;
}

function openUpstream(client: Socket, port: number): Upstream {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  client.on('error', () => {}).once('close', () => agent.destroy());
  const upstream: Upstream = { agent, response: Promise.resolve() };
  agent.createConnection = (_options, callback) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('close', () => void upstream.response.then(() => client.end()));
    callback?.(null, socket);
    return socket;
  };
  return upstream;
}
