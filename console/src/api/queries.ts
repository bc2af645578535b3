import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import { account } from './console-api.ts';
import { Problem } from './http.ts';
import type { Id } from './json.ts';
import { type Order, type OrderState, type Page, type Pet, read, readAll, type Snapshot } from './store.ts';
import { unsavedKey } from './unsaved-key.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays a refusal; what did not arrive is worth a second try.
      retry: (failures, error) => failures < 2 && !(error instanceof Problem && error.status < 500),
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

const contentOf = <T>(snapshot: Snapshot<T>) => snapshot.value;

function stored<T>(path: string, reader = read<T>) {
  const queryKey = ['store', path] as const;
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => reader(path, client.getQueryData<Snapshot<T>>(queryKey), signal),
    select: contentOf<T>,
  });
}

/** Where a snapshot of the store is kept, and how it is read. */
export const storeQueries = {
  orders: (search: string) => stored<Page<Order>>(`/store/orders?${search}`),
  order: (id: Id) => stored<Order>(`/store/orders/${id}`),
  history: (id: Id) => stored<{ data: OrderState[] }>(`/store/orders/${id}/history`),
  newestOrders: () => stored<Page<Order>>('/store/orders?sort=-id&limit=1000', readAll<Order>),
  pets: () => stored<Page<Pet>>('/pets?limit=1000', readAll<Pet>),
};

/** The session, or null for someone who is not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    try {
      const { firstKey, ...session } = await account.session();
      if (firstKey) unsavedKey.set({ made: firstKey, isFirst: true });
      return session;
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null;
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
});

/** Reads again whatever shows the store; what is still true costs a 304. */
export function refreshStore(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['store'] });
}
