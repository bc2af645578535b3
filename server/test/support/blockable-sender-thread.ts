import { parentPort } from 'node:worker_threads';
import type { ToSenderThread } from '../../src/webhooks/sender-thread.ts';

/** The sender thread; a message to `/block` blocks it forever. */
parentPort?.on('message', ({ message }: ToSenderThread) => {
  while (message.url.endsWith('/block'));
});
await import('../../src/app/webhook-sender-thread.ts');
