import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { openWebhookSender } from '../../../server/src/webhooks/webhook-sender.ts';
import type { Exchange } from '../engine/wire.ts';
import type { Delivery } from './question.ts';

/** The URL a webhook receiver listens on, and the signing secret. */
export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

const HOUR_MS = 3_600_000;

/** The event id of a delivery. `same-again` repeats the event of `signed`. */
export const eventIdOf = (delivery: Delivery): string =>
  ({ signed: '101', 'same-again': '101', forged: '102', stale: '103', last: '104' })[delivery];

/** Sends the deliveries in order once the receiver listens, and returns the exchanges. */
export async function deliver(
  { url, secret }: Receiver,
  deliveries: readonly Delivery[],
  hasEnded: () => boolean,
): Promise<{ exchanges: Exchange[]; answers: (number | null)[] }> {
  const seen = { exchanges: [] as Exchange[], answers: [] as (number | null)[] };
  while (!(await listens(Number(new URL(url).port)))) {
    if (hasEnded()) return seen;
    await wait(50);
  }
  for (const delivery of deliveries) {
    const requestedAt = Date.now();
    const sender = openWebhookSender({ allowPrivate: true });
    const at = requestedAt - (delivery === 'stale' ? HOUR_MS : 0);
    const id = eventIdOf(delivery);
    const body = JSON.stringify({
      id,
      type: 'order.shipped',
      at: new Date(requestedAt).toISOString(),
      data: { id: 2, petId: 1, quantity: 1, status: 'shipped', complete: false },
    });
    const secrets = [delivery === 'forged' ? `whsec_${btoa('another sender')}` : secret];
    const attempt = await sender.send({ url, id: `msg_${id}`, body, secrets, at });
    sender.close();
    seen.answers.push(attempt.status);
    seen.exchanges.push({
      asked: `POST ${url} HTTP/1.1\r\nwebhook-id: msg_${id} (${delivery})\r\n\r\n${body}`,
      response: attempt.status === null ? '' : `HTTP/1.1 ${attempt.status} \r\n\r\n${attempt.answer ?? ''}`,
      requestedAt,
      responseAt: requestedAt + attempt.durationMs,
    });
  }
  return seen;
}

async function listens(port: number): Promise<boolean> {
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
