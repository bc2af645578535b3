import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Delivery as ClientDelivery, writeJson } from '../../../client/src/index.ts';
import { client } from './client.ts';
import type { eventTypes } from './contract.generated.ts';
import { queryClient } from './queries.ts';
import type { Page } from './store.ts';

export type { DeliveryStatus, Webhook, WebhookWithSecret } from '../../../client/src/index.ts';
export { eventTypes } from './contract.generated.ts';
export type EventType = (typeof eventTypes)[number];

/** A delivery with the fields common to all events. */
export interface Delivery extends Omit<ClientDelivery, 'event'> {
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly at: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Below `store`, so that changes of the store refetch deliveries too. */
const KEY = ['store', 'webhooks'] as const;
/** A delivery whose next attempt is due within this time is in progress. */
const IN_PROGRESS_MS = 10_000;
const ACTIVE_POLL_MS = 1_000;
const IDLE_POLL_MS = 5_000;

export const webhooksQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: ({ signal }) => client.webhooks.list({ signal }),
  refetchInterval: IDLE_POLL_MS,
});

const readDeliveries = async (id: string, limit: number, cursor: string | null) => {
  const page = await client.webhooks.deliveries(id, { limit, cursor: cursor ?? undefined });
  return { data: page.data as readonly Delivery[], nextCursor: page.nextCursor };
};

const isInProgress = ({ nextAttemptAt }: Delivery) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + IN_PROGRESS_MS;

/** Polls quickly only while a delivery is in progress, and never in a hidden tab. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...KEY, id, 'deliveries'],
    queryFn: ({ pageParam }) => readDeliveries(id, 25, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isInProgress)) ? ACTIVE_POLL_MS : IDLE_POLL_MS,
  });

const MAX_PAGES = 5;
const DAY_MS = 86_400_000;

/** The deliveries of the last day, up to a limit of pages. */
export const lastDayQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook-day', id],
    queryFn: async () => {
      const since = Date.now() - DAY_MS;
      const found: Delivery[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const page: Page<Delivery> = await readDeliveries(id, 1000, cursor);
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

/** The message ID shared by all attempts of a delivery. */
export const messageIdOf = (webhookId: string, { id }: Delivery) =>
  `${webhookId.replace('wh_', 'msg_')}_${id}`;

/** The event as sent, indented. */
export const eventText = ({ event: { id, type, at, data } }: Delivery) =>
  writeJson({ id, type, at, data }, '  ') ?? '';

/** The order or pet that an event is about, such as "order 41". */
export function subjectOf({ event: { type, data } }: Delivery): string {
  const [kind = ''] = type.split('.');
  return typeof data.id === 'bigint' ? `${kind} ${data.id}` : '';
}
