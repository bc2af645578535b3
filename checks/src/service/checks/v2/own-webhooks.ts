import { setTimeout as pause } from 'node:timers/promises';
import { Inconclusive, once } from '../../check.ts';
import type { Context } from '../../context.ts';
import { type Fields, objectOf, pageOf } from '../../v2.ts';
import { type Message, openReceiver } from '../../webhooks.ts';

export type Delivery = Fields & { event: Fields; attempts: Fields[]; nextAttemptAt: unknown };

/** Webhooks that send to a receiver on this machine. */
export function ownWebhooks({ v2, client }: Context) {
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(client.base.hostname);
  const receiver = once(async () => {
    if (!isLocal) throw new Inconclusive('the service cannot send webhooks to this machine');
    const receiver = await openReceiver();
    v2.onCleanUp(async () => receiver[Symbol.asyncDispose]());
    return receiver;
  });
  const create = async (body: string) => {
    const response = await v2.send('POST', '/webhooks', body);
    if (response.status === 201)
      v2.onCleanUp(() => v2.send('DELETE', `/webhooks/${objectOf(response, 201).id}`));
    return response;
  };
  /** A webhook whose URL is a path of the receiver; without `types` in the request if they are null. */
  const open = async (path: string, types: string[] | null = ['order.placed']) => {
    const { urlOf } = await receiver();
    const response = await create(JSON.stringify({ url: urlOf(path), ...(types && { types }) }));
    if (response.status === 422) throw new Inconclusive('the service sends no webhooks to private addresses');
    const { id, secret } = objectOf(response, 201);
    return { response, path: `/webhooks/${id}`, secret: String(secret) };
  };
  /** Reads a webhook's deliveries until `isDone`, for at most ten seconds. */
  const deliveries = async (webhook: { path: string }, isDone: (found: Delivery[]) => boolean) => {
    for (let tries = 0; ; tries += 1) {
      const found = pageOf(await v2.get(`${webhook.path}/deliveries`)).data as Delivery[];
      if (isDone(found) || tries === 100) return found;
      await pause(100);
    }
  };
  const remove = (webhook: { path: string }) => v2.send('DELETE', webhook.path);
  return { receiver, create, open, deliveries, remove };
}

export const hasAttempt = (found: readonly Delivery[]) => found.some(({ attempts }) => attempts.length > 0);

/** Headers that differ between the attempts of a message. */
const attemptHeaders = ['webhook-timestamp', 'webhook-signature', 'traceparent', 'connection'];

/** The method and the headers that every attempt of a message repeats. */
export const repeatedHeaders = ({ method, headers }: Message) => [
  method,
  Object.entries(headers)
    .filter(([name]) => !attemptHeaders.includes(name))
    .sort(),
];
