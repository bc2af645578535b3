import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ATTACKER } from './scene.ts';

const script = fileURLToPath(new URL('./unread-clients.py', import.meta.url));

export interface UnreadClients extends AsyncDisposable {
  /** Settles once every connection is open, or was rejected. */
  readonly settled: Promise<OpenedClients>;
}

interface OpenedClients {
  readonly opened: number;
  /** Packets that were retransmitted to open them: the kernel drops those that exceed the backlog. */
  readonly retransmitted: number;
}

/**
 * Opens a connection for each request, all at once, and reads nothing, through a receive buffer of 4 KB and segments of 536
 * bytes. With the default sizes, the kernel buffers a whole response on loopback, so that the service has none to buffer.
 */
export async function openUnreadClients(origin: string, requests: readonly string[]): Promise<UnreadClients> {
  const { hostname: host, port } = new URL(origin);
  const clients = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(clients, 'exit');
  clients.stdin.write(`${JSON.stringify({ host, port: Number(port), from: ATTACKER, requests })}\n`);
  const lines = createInterface(clients.stdout)[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`python3 ended with ${(await exited)[0]}`);
    return String(value);
  };
  // The first line says that all connections are being opened.
  await next();
  const settled = next().then((line) => {
    const [opened = 0, retransmitted = 0] = line.split(' ').map(Number);
    return { opened, retransmitted };
  });
  settled.catch(() => {});
  return {
    settled,
    async [Symbol.asyncDispose]() {
      clients.stdin.end();
      await exited;
    },
  };
}
