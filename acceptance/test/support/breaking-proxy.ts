import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A request as a mutant may change it on its way. */
export interface Asked {
  method: string;
  path: string;
  /** What is below the first line. */
  head: string;
}

/** An answer as a mutant may change it on its way. */
export interface Answered {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface Mutant {
  readonly request?: (asked: Asked) => void;
  readonly answer?: (answered: Answered, asked: Readonly<Asked>) => void;
}

export interface BreakingProxy extends AsyncDisposable {
  readonly origin: string;
}

/** Stands before a service and breaks what the mutant says. What it does not touch passes byte for byte. */
export async function startBreakingProxy(target: number, mutant: Mutant): Promise<BreakingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let asked: Asked = { method: '', path: '', head: '' };
    let received = Buffer.alloc(0);
    const pass = () => {
      if (received.length > 0) client.write(mutated(received, mutant, asked));
      received = Buffer.alloc(0);
    };
    client.on('data', (bytes: Buffer) => {
      const found = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n([\s\S]*)$/.exec(bytes.toString('latin1'));
      if (!found) return void upstream.write(bytes);
      const [, method = '', path = '', head = ''] = found;
      asked = { method, path, head };
      mutant.request?.(asked);
      upstream.write(`${asked.method} ${asked.path} HTTP/1.1\r\n${asked.head}`, 'latin1');
    });
    upstream.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      if (isWhole(received, asked.method)) pass();
    });
    upstream.on('end', () => {
      pass();
      client.end();
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        if (socket === client) upstream.destroy();
        else client.end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function isWhole(received: Buffer, method: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = received.toString('latin1', 0, end);
  if (method === 'HEAD' || /^HTTP\/1\.1 (204|304)/.test(head)) return true;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length !== undefined && received.length >= end + 4 + Number(length);
}

function mutated(received: Buffer, { answer }: Mutant, asked: Asked): Buffer {
  const end = received.indexOf('\r\n\r\n');
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const isPacked = lines.some((line) => /^(content-encoding|transfer-encoding):/i.test(line));
  if (!answer || end < 0) return received;
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = received.subarray(end + 4);
  const answered = { status: Number(first.split(' ')[1]), headers, body: body.toString() };
  const before = answered.body;
  answer(answered, asked);
  const sent = isPacked && answered.body === before ? body : Buffer.from(answered.body);
  if (answered.body !== before && 'content-length' in headers)
    headers['content-length'] = String(sent.length);
  const head = Object.entries(answered.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${answered.status} X\r\n${head.join('')}\r\n`, 'latin1'),
    sent,
  ]);
}
