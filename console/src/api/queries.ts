import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Cancellable } from '../calls.ts';
import { filterOf } from '../orders-search.ts';
import { client, patientClient } from './client.ts';
import { account } from './console-api.ts';
import { isRefusal } from './http.ts';
import { pageShows } from './shown-account.ts';
import type { Order, OrderStatus, Page } from './store.ts';
import { unsavedKey } from './unsaved-key.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays a refusal; what did not arrive is worth a second try.
      retry: (failures, error) => failures < 2 && !isRefusal(error),
      retryDelay: 400,
      // `watch-store.ts` says when something is stale.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

function stored<T>(name: string, read: (options: { readonly signal: AbortSignal }) => Promise<T>) {
  return queryOptions({ queryKey: ['store', name], queryFn: ({ signal }) => read({ signal }) });
}

/** Where a part of the store is kept, and how it is read. */
export const storeQueries = {
  orders: (search: string) =>
    stored(`orders ${search}`, async (options): Promise<Page<Order>> => {
      const { data, nextCursor } = await client.orders.list(filterOf(search), options);
      return { data, nextCursor };
    }),
  order: (id: bigint) => stored(`order ${id}`, (options) => client.orders.get(id, options)),
  history: (id: bigint) => stored(`history ${id}`, (options) => client.orders.history(id, options)),
  /** The pending order that is to ship first. */
  nextDue: () =>
    stored('next due', async (options) => {
      const { data } = await client.orders.list({ status: 'pending', sort: 'shipDate', limit: 1 }, options);
      return data[0] ?? null;
    }),
  /** The newest order that can be cancelled, and the newest that cannot any more. */
  cancellable: () =>
    stored('cancellable', async (options): Promise<Cancellable> => {
      const newest = async (status: OrderStatus) =>
        (await client.orders.list({ status, sort: '-id', limit: 1 }, options)).data[0]?.id;
      return { pending: await newest('pending'), shipped: await newest('shipped') };
    }),
  /** Of a large store it may take its time, once. */
  summary: () => stored('summary', (options) => patientClient.summary(options)),
  pets: () => stored('pets', (options) => readAll(client.pets.list({ limit: 1000 }, options))),
};

/** As many as a store can have. */
const MOST_PETS = 10_000;

async function readAll<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of list) if (all.push(item) >= MOST_PETS) break;
  return all;
}

/** The session, or null for someone who is not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    try {
      const found = await account.session();
      pageShows(found);
      if (!found) return null;
      const { firstKey, ...session } = found;
      if (firstKey) unsavedKey.set({ made: firstKey, isFirst: true });
      return session;
    } catch (error) {
      if (isRefusal(error) && error.status === 401) return null;
      throw error;
    }
  },
});

export const keysQuery = queryOptions({
  queryKey: ['keys', 'working'],
  queryFn: account.workingKeys,
  // "Last used" changes while one looks at it.
  refetchInterval: 5_000,
});

export const pastKeysQuery = infiniteQueryOptions({
  queryKey: ['keys', 'past'],
  queryFn: ({ pageParam }) => account.pastKeys(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** Both lists of keys. */
export const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['keys'] });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: account.sessions,
  staleTime: 0,
});

export const eventsQuery = infiniteQueryOptions({
  queryKey: ['events'],
  queryFn: ({ pageParam }) => account.events(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  staleTime: 0,
  // What happens elsewhere appears by itself.
  refetchInterval: 5_000,
});

/** Reads again whatever shows the store; what is still true costs a 304. */
export function refreshStore(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['store'] });
}
