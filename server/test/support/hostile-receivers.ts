import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const ENDLESS = `${OK}Content-Length: 9007199254740991\r\n\r\n`;
const REDIRECT = 'HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n';
const ONE_BYTE_CHUNK = '1\r\nx\r\n';
const BLOCK_BYTES = 64 * 1024;

/** Sends the beginning, then repeats the rest as fast as it is read. */
const endless = (beginning: string, rest: string) => (socket: Socket) => {
  const block = rest.repeat(Math.ceil(BLOCK_BYTES / rest.length));
  const pump = () => {
    while (socket.writable && socket.write(block));
  };
  socket.write(beginning);
  socket.on('drain', pump);
  pump();
};

/** Sends the beginning, then `a` forever, one byte per interval: by default an endless header. */
export const drip =
  (intervalMs: number, beginning = `${OK}X-A: `) =>
  (socket: Socket) => {
    const start = [...beginning].values();
    const write = () => socket.writable && socket.write(start.next().value ?? 'a', 'latin1');
    const timer = setInterval(write, intervalMs);
    socket.once('close', () => clearInterval(timer));
    write();
  };

/** The head of a TLS record of 16 KB with a ServerHello, which never ends. */
const TLS_RECORD = '\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03';

/** Behavior of a receiver, named by the resource that it tries to exhaust. */
export const hostileReceivers: Readonly<Record<string, (socket: Socket) => void>> = {
  'endless one-byte chunks': endless(CHUNKED, ONE_BYTE_CHUNK),
  'an endless body': endless(ENDLESS, 'x'),
  'endless 100 Continue': endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'endless 103 Early Hints': endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'),
  'endless headers': endless(OK, 'X-A: b\r\n'),
  'one huge header': endless(`${OK}X-A: `, 'a'),
  'endless trailers': endless(`${CHUNKED}0\r\n`, 'X-A: b\r\n'),
  'an endless chunk extension': endless(`${CHUNKED}1;a=`, 'a'),
  'endless responses to one request': endless('', `${OK}Content-Length: 0\r\n\r\n`),
  garbage: endless('', '\u0000\u0016\u0003'),
  'a switch of protocols': endless(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: Upgrade\r\n\r\n',
    'a',
  ),
  '200 one-byte chunks and then silence': (socket) => socket.write(`${CHUNKED}${ONE_BYTE_CHUNK.repeat(200)}`),
  'a little more than 64 KB and then silence': (socket) =>
    socket.write(`${ENDLESS}${'x'.repeat(64 * 1024 + 1)}`),
  'a redirect to itself': (socket) => socket.write(REDIRECT),
  'a byte every 14 seconds': drip(14_000),
  'a TLS handshake of a byte per second': drip(1_000, TLS_RECORD),
  silence: () => {},
  'a connection that closes at once': (socket) => socket.destroy(),
  'a connection that is reset': (socket) => socket.resetAndDestroy(),
};

interface HostileReceiver extends AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
}

/** Speaks no TLS: with an `https:` address and `silence`, the handshake never ends. */
export async function startHostileReceiver(behave: (socket: Socket) => void): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.once('data', () => behave(socket));
    socket.resume();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
