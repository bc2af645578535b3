import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ATTACKER } from './scene.ts';

const script = fileURLToPath(new URL('./unread-clients.py', import.meta.url));

export interface UnreadClients extends AsyncDisposable {
  /** Connections that were opened. */
  readonly opened: number;
}

/**
 * Opens a connection for each request and reads nothing, through a receive buffer of 4 KB and segments of 536 bytes. With the
 * usual ones, the kernel takes a whole response on loopback, so that the service has nothing to hold.
 */
export async function openUnread(origin: string, requests: readonly string[]): Promise<UnreadClients> {
  const { hostname: host, port } = new URL(origin);
  const clients = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(clients, 'exit');
  clients.stdin.write(`${JSON.stringify({ host, port: Number(port), from: ATTACKER, requests })}\n`);
  const [opened] = await Promise.race([
    once(clients.stdout, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`python3 ended with ${code}`))),
  ]);
  return {
    opened: Number(opened),
    async [Symbol.asyncDispose]() {
      clients.stdin.end();
      await exited;
    },
  };
}
