import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import type { SampleOrders } from '../calls.ts';
import { filterOf } from '../orders-search.ts';
import { client, slowClient } from './client.ts';
import { account } from './console-api.ts';
import { setShownIdentity } from './current-account.ts';
import { isApiError } from './http.ts';
import type { Order, OrderStatus, Page } from './store.ts';
import { unsavedKey } from './unsaved-key.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry connection and server errors, but not rejected requests.
      retry: (failures, error) => failures < 2 && !isApiError(error),
      retryDelay: 400,
      // `watch-store.ts` invalidates stale data.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

function storeQuery<T>(name: string, read: (options: { readonly signal: AbortSignal }) => Promise<T>) {
  return queryOptions({ queryKey: ['store', name], queryFn: ({ signal }) => read({ signal }) });
}

/** Queries for the data of the store. */
export const storeQueries = {
  orders: (search: string) =>
    storeQuery(`orders ${search}`, async (options): Promise<Page<Order>> => {
      const { data, nextCursor } = await client.orders.list(filterOf(search), options);
      return { data, nextCursor };
    }),
  order: (id: bigint) => storeQuery(`order ${id}`, (options) => client.orders.get(id, options)),
  history: (id: bigint) => storeQuery(`history ${id}`, (options) => client.orders.history(id, options)),
  /** The pending order with the earliest ship date. */
  nextDue: () =>
    storeQuery('next due', async (options) => {
      const { data } = await client.orders.list({ status: 'pending', sort: 'shipDate', limit: 1 }, options);
      return data[0] ?? null;
    }),
  /** The newest pending and the newest shipped order, for examples. */
  sampleOrders: () =>
    storeQuery('sample orders', async (options): Promise<SampleOrders> => {
      const newest = async (status: OrderStatus) =>
        (await client.orders.list({ status, sort: '-id', limit: 1 }, options)).data[0]?.id;
      return { pending: await newest('pending'), shipped: await newest('shipped') };
    }),
  /** Slow for a large store. */
  summary: () => storeQuery('summary', (options) => slowClient.summary(options)),
  pets: () => storeQuery('pets', (options) => readAll(client.pets.list({ limit: 1000 }, options))),
};

/** The maximum number of pets in a store. */
const MAX_PETS = 10_000;

async function readAll<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of list) if (all.push(item) >= MAX_PETS) break;
  return all;
}

/** The session; null if not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    try {
      const found = await account.session();
      setShownIdentity(found);
      if (!found) {
        // The next sign-in in this tab may be to another account.
        unsavedKey.set(undefined);
        return null;
      }
      const { firstKey, ...session } = found;
      if (firstKey) unsavedKey.set({ created: firstKey, isFirst: true });
      return session;
    } catch (error) {
      if (isApiError(error) && error.status === 401) return null;
      throw error;
    }
  },
});

export const keysQuery = queryOptions({
  queryKey: ['keys', 'working'],
  queryFn: account.workingKeys,
  // Keeps "Last used" current.
  refetchInterval: 5_000,
});

export const pastKeysQuery = infiniteQueryOptions({
  queryKey: ['keys', 'past'],
  queryFn: ({ pageParam }) => account.pastKeys(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

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
  // Shows events of other sessions.
  refetchInterval: 5_000,
});

/** Refetches the store's data; unchanged data costs a 304. */
export function refreshStore(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['store'] });
}
