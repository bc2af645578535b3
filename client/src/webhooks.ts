import { NotFoundError } from './errors.ts';
import { type Id, idText } from './id.ts';
import { type Listing, listing } from './page.ts';
import type { CallOptions, Send } from './send.ts';
import type {
  Delivery,
  DeliveryPage,
  Webhook,
  WebhookInput,
  WebhookPage,
  WebhookPatch,
  WebhookWithSecret,
} from './types.generated.ts';

export interface DeliveryFilter {
  /** Deliveries on a page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Where the events of the store are sent. */
export interface Webhooks {
  list(options?: CallOptions): Promise<readonly Webhook[]>;
  get(id: string, options?: CallOptions): Promise<Webhook>;
  /** The secret is in this answer alone. Not repeated once it may have arrived. */
  create(webhook: WebhookInput, options?: CallOptions): Promise<WebhookWithSecret>;
  change(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Not repeated once it may have arrived: a second new secret would end the one that receivers know. */
  rollSecret(id: string, options?: CallOptions): Promise<WebhookWithSecret>;
  /** Not repeated once it may have arrived. */
  test(id: string, options?: CallOptions): Promise<Delivery>;
  /** Newest first. */
  deliveries(id: string, filter?: DeliveryFilter, options?: CallOptions): Listing<Delivery>;
  redeliver(id: string, deliveryId: Id, options?: CallOptions): Promise<Delivery>;
}

const path = (id: string) => `/v2/webhooks/${encodeURIComponent(id)}`;

export function webhooksOf(send: Send): Webhooks {
  const read = async <T>(path: string, options: CallOptions | undefined, query?: object) =>
    (await send<T>({ method: 'GET', path, query: { ...query }, repeat: 'always' }, options)).body;
  const postOnce = async <T>(path: string, options: CallOptions | undefined, body?: WebhookInput) =>
    (await send<T>({ method: 'POST', path, body, repeat: 'unsent' }, options)).body;
  return {
    list: async (options) => (await read<WebhookPage>('/v2/webhooks', options)).data,
    get: (id, options) => read(path(id), options),
    create: (webhook, options) => postOnce('/v2/webhooks', options, webhook),
    async change(id, body, options) {
      return (await send<Webhook>({ method: 'PATCH', path: path(id), body, repeat: 'always' }, options)).body;
    },
    async delete(id, options) {
      try {
        await send({ method: 'DELETE', path: path(id), repeat: 'always' }, options);
      } catch (error) {
        // After a lost answer this is the echo of our own success.
        if (!(error instanceof NotFoundError && error.mayBeDone)) throw error;
      }
    },
    rollSecret: (id, options) => postOnce(`${path(id)}/roll-secret`, options),
    test: (id, options) => postOnce(`${path(id)}/test`, options),
    deliveries: (id, { limit, cursor } = {}, options) =>
      listing((at) => read<DeliveryPage>(`${path(id)}/deliveries`, options, { limit, cursor: at }), cursor),
    async redeliver(id, deliveryId, options) {
      const again = `${path(id)}/deliveries/${idText(deliveryId)}/redeliver`;
      return (await send<Delivery>({ method: 'POST', path: again, repeat: 'always' }, options)).body;
    },
  };
}
