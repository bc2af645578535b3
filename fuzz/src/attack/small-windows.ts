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
  /** Packets that the kernel repeated to open them: it drops those that exceed the backlog. */
  readonly repeated: number;
}

/**
 * Opens a connection for each request, all at once, and reads nothing, through a receive buffer of 4 KB and segments of 536
 * bytes. With the usual ones, the kernel takes a whole response on loopback, so that the service has nothing to hold.
 */
export async function openUnread(origin: string, requests: readonly string[]): Promise<UnreadClients> {
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
  await next();
  const settled = next().then((line) => {
    const [opened = 0, repeated = 0] = line.split(' ').map(Number);
    return { opened, repeated };
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
