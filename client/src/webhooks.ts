import { ignoreIfAlreadyDone, NotFoundError } from './errors.ts';
import { type Id, idText } from './id.ts';
import { type Listing, listing, requireRows } from './page.ts';
import { mapBody, type Result, resultOf } from './result.ts';
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
import { verifyWebhook } from './verify-webhook.ts';

export interface DeliveryFilter {
  /** Deliveries per page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Webhooks of the store. */
export interface Webhooks {
  list(options?: CallOptions): Result<readonly Webhook[]>;
  get(id: string, options?: CallOptions): Result<Webhook>;
  /** Only this response has the secret. Not retried if the request may have arrived. */
  create(webhook: WebhookInput, options?: CallOptions): Result<WebhookWithSecret>;
  change(id: string, patch: WebhookPatch, options?: CallOptions): Result<Webhook>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Not retried if it may have arrived: a second roll would invalidate the secret that receivers have. */
  rollSecret(id: string, options?: CallOptions): Result<WebhookWithSecret>;
  /** Not retried if it may have arrived. */
  test(id: string, options?: CallOptions): Result<Delivery>;
  /** Newest first. */
  deliveries(id: string, filter?: DeliveryFilter, options?: CallOptions): Listing<Delivery>;
  redeliver(id: string, deliveryId: Id, options?: CallOptions): Result<Delivery>;
  /** Verifies a received message and returns it. Needs no key; also exported as a function. */
  readonly verify: typeof verifyWebhook;
}

const path = (id: string) => `/v2/webhooks/${encodeURIComponent(id)}`;

export function webhooksOf(send: Send): Webhooks {
  const read = <T>(path: string, options: CallOptions | undefined, query?: object) =>
    send<T>({ method: 'GET', path, query: { ...query }, retry: 'always' }, options);
  const postOnce = <T>(path: string, options: CallOptions | undefined, body?: WebhookInput) =>
    resultOf(send<T>({ method: 'POST', path, body, retry: 'ifNotSent' }, options));
  const redeliver = async (id: string, deliveryId: Id, options?: CallOptions) => {
    const redeliverPath = `${path(id)}/deliveries/${idText(deliveryId)}/redeliver`;
    return send<Delivery>({ method: 'POST', path: redeliverPath, retry: 'always' }, options);
  };
  return {
    verify: verifyWebhook,
    list: (options) =>
      resultOf(mapBody(requireRows(read<WebhookPage>('/v2/webhooks', options)), ({ data }) => data)),
    get: (id, options) => resultOf(read(path(id), options)),
    create: (webhook, options) => postOnce('/v2/webhooks', options, webhook),
    change: (id, body, options) =>
      resultOf(send<Webhook>({ method: 'PATCH', path: path(id), body, retry: 'always' }, options)),
    delete: async (id, options) =>
      ignoreIfAlreadyDone(
        NotFoundError,
        send({ method: 'DELETE', path: path(id), retry: 'always' }, options),
      ),
    rollSecret: (id, options) => postOnce(`${path(id)}/roll-secret`, options),
    test: (id, options) => postOnce(`${path(id)}/test`, options),
    deliveries: (id, { limit, cursor } = {}, options) =>
      listing((at) => read<DeliveryPage>(`${path(id)}/deliveries`, options, { limit, cursor: at }), cursor),
    redeliver: (id, deliveryId, options) => resultOf(redeliver(id, deliveryId, options)),
  };
}
