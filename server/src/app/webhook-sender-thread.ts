import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FromSenderThread, SenderThreadData, ToSenderThread } from '../webhooks/sender-thread.ts';
import { createWebhookSender } from '../webhooks/webhook-sender.ts';

const port = parentPort as MessagePort;
const sender = createWebhookSender(workerData as SenderThreadData);

port.on('message', async ({ number, message }: ToSenderThread) => {
  const attempt = await sender.send(message);
  port.postMessage({ number, attempt } satisfies FromSenderThread);
});
