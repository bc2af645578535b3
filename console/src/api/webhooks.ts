import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readJson } from './http.ts';
import { type Id, writeJson } from './json.ts';
import { queryClient } from './queries.ts';
import type { Page } from './store.ts';
import { sendWithKey } from './token.ts';

export const eventTypes = [
  'order.placed',
  'order.shipped',
  'order.delivered',
  'order.cancelled',
  'pet.created',
  'pet.changed',
  'store.reset',
] as const;
export type EventType = (typeof eventTypes)[number];

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly active: boolean;
  readonly createdAt: string;
}

/** A webhook with the secret that signs, which is given once. */
export type WebhookWithSecret = Webhook & { readonly secret: string };

interface Attempt {
  readonly at: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly answer: string | null;
  readonly error: string | null;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface Delivery {
  readonly id: Id;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly at: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
}

const json = { 'content-type': 'application/json' };
const call = async (method: string, path: string, body?: object) =>
  sendWithKey(`/v2/webhooks${path}`, {
    method,
    ...(body ? { headers: json, body: JSON.stringify(body) } : {}),
  });

export const webhooks = {
  create: async (input: { url: string; types?: readonly EventType[] }) =>
    readJson<WebhookWithSecret>(await call('POST', '', input)),
  change: async (id: string, change: Partial<Pick<Webhook, 'url' | 'types' | 'active'>>) =>
    readJson<Webhook>(await call('PATCH', `/${id}`, change)),
  remove: (id: string) => call('DELETE', `/${id}`),
  rollSecret: async (id: string) => readJson<WebhookWithSecret>(await call('POST', `/${id}/roll-secret`)),
  test: async (id: string) => readJson<Delivery>(await call('POST', `/${id}/test`)),
  redeliver: async (id: string, delivery: Id) =>
    readJson<Delivery>(await call('POST', `/${id}/deliveries/${delivery}/redeliver`)),
};

/** Below `store`: what happens in the store has deliveries read again too. */
const KEY = ['store', 'webhooks'] as const;

export const webhooksQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: async () => (await readJson<Page<Webhook>>(await call('GET', ''))).data,
});

const deliveries = async (id: string, limit: number, cursor: string | null) =>
  readJson<Page<Delivery>>(
    await call('GET', `/${id}/deliveries?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`),
  );

const [SOON_MS, QUICK_MS, QUIET_MS] = [10_000, 1_000, 5_000];
const isUnderWay = ({ nextAttemptAt }: Delivery) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SOON_MS;

/** Looks often only while something is on its way, and never behind another tab. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...KEY, id, 'deliveries'],
    queryFn: ({ pageParam }) => deliveries(id, 25, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? QUICK_MS : QUIET_MS,
  });

const MOST_PAGES = 5;
export const DAY_MS = 86_400_000;

/** The deliveries of the last day, up to a bound that keeps the console light. */
export const dayQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook-day', id],
    queryFn: async () => {
      const since = Date.now() - DAY_MS;
      const found: Delivery[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const page: Page<Delivery> = await deliveries(id, 1000, cursor);
        found.push(...page.data);
        cursor = page.nextCursor;
        if (cursor === null || Date.parse(page.data.at(-1)?.createdAt ?? '') < since) return found;
      }
      return found;
    },
    staleTime: 0,
    refetchInterval: 300_000,
  });

export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: KEY });

/** The message id that all tries of a delivery carry. */
export const messageIdOf = (webhookId: string, { id }: Delivery) =>
  `${webhookId.replace('wh_', 'msg_')}_${id}`;

/** The event as it is sent, with a line for each field. */
export function eventText({ event: { id, type, at, data } }: Delivery): string {
  const fields = { type, at };
  const inside = writeJson(data, 'lines').replaceAll('\n', '\n  ');
  return `{\n  "id": ${JSON.stringify(id)},${writeJson(fields, 'lines').slice(1, -2)},\n  "data": ${inside === '{\n  \n  }' ? '{}' : inside}\n}`;
}

/** The order or pet that an event is about, as people say it. */
export function subjectOf({ event: { type, data } }: Delivery): string {
  const [kind = ''] = type.split('.');
  return typeof data.id === 'string' ? `${kind} ${data.id}` : '';
}
