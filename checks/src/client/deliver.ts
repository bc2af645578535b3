import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '../engine/wire.ts';
import type { Batch, Delivery } from './deliveries.ts';

/** The URL a webhook receiver listens on, and the messages for it. */
export interface Receiver {
  readonly url: string;
  readonly batch: Batch;
}

const RESPONSE_TIMEOUT_MS = 30_000;

/** Sends the deliveries in order once the receiver listens, and returns the exchanges. */
export async function deliver(
  { url, batch }: Receiver,
  deliveries: readonly Delivery[],
  hasEnded: () => boolean,
): Promise<{ exchanges: Exchange[]; responseStatuses: (number | null)[] }> {
  const delivered = { exchanges: [] as Exchange[], responseStatuses: [] as (number | null)[] };
  while (!(await isListening(Number(new URL(url).port)))) {
    if (hasEnded()) return delivered;
    await wait(50);
  }
  for (const delivery of deliveries) {
    const requestedAt = Date.now();
    const { headers, body } = batch.messageOf(delivery, requestedAt);
    const response = await send(url, headers, body);
    const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    delivered.responseStatuses.push(response?.status ?? null);
    delivered.exchanges.push({
      request: toBinaryString(`POST ${new URL(url).pathname} HTTP/1.1\r\n${sent.join('')}\r\n${body}`),
      response: response ? toBinaryString(`HTTP/1.1 ${response.status} \r\n\r\n${response.text}`) : '',
      requestedAt,
      responseAt: Date.now(),
    });
  }
  return delivered;
}

const toBinaryString = (text: string) => Buffer.from(text).toString('latin1');

async function send(url: string, headers: Readonly<Record<string, string>>, body: string) {
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const init = { method: 'POST', headers: { ...headers, connection: 'close' }, body, signal };
    const response = await fetch(url, { ...init, redirect: 'manual' });
    return { status: response.status, text: (await response.text()).slice(0, 1_000) };
  } catch {
    return undefined;
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
