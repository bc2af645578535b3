import { hashKey, type InvalidateQueryFilters } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { createClient, PetStoreError } from '../../../client/src/index.ts';
import { clientOptions, fetchWithKey } from './client.ts';
import { unreachableSince } from './connection.ts';
import { queryClient, storeQueries } from './queries.ts';
import { sessionEnded } from './session-ended.ts';

const POLL_MS = 1_000;
/** Delay before reopening a failed stream. */
const REOPEN_MS = 5_000;
/** The service sends a comment at least every 15 seconds: a stream that is silent for longer is dead. */
const SILENCE_MS = 25_000;

/**
 * Follows the store's event stream and refetches everything on the page after a change; unchanged data costs a 304.
 * While the stream is down, it polls once a second instead.
 */
export function useWatchStore(): void {
  const ended = sessionEnded.use();
  const isUnreachable = unreachableSince.use() !== undefined;
  const pollNow = useRef(() => {});
  // One lost response does not mean that the service is down: poll until it responds, even while the stream is open.
  useEffect(() => {
    if (isUnreachable) pollNow.current();
  }, [isUnreachable]);
  useEffect(() => {
    if (ended) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream: AbortController | undefined;
    /** Whether the stream is open, so that polling is not needed. */
    let isStreaming = false;
    /** The ETag of the last poll. */
    let etag: string | null | undefined;
    const isStopped = () => stream?.signal.aborted !== false || document.hidden || sessionEnded.get();

    const poller = createClient({
      ...clientOptions,
      retries: 0,
      fetch: async (address, init) => {
        const response = await fetchWithKey(address, init);
        const seen = response.headers.get('etag');
        if (response.ok && seen !== etag) {
          etag = seen;
          refresh();
        }
        return response;
      },
    });
    const pollSoon = (pause = POLL_MS) => {
      clearTimeout(timer);
      timer = setTimeout(poll, pause);
    };
    const poll = async () => {
      if (isStopped() || (isStreaming && unreachableSince.get() === undefined)) return;
      let pause = POLL_MS;
      try {
        await poller.orders.list({ sort: '-id', limit: 1 });
      } catch (error) {
        if (error instanceof PetStoreError && error.retryAfter) pause = error.retryAfter * 1_000;
      }
      pollSoon(pause);
    };

    const follower = createClient({
      ...clientOptions,
      fetch: async (address, init) => {
        // The client fetches again only after the stream has ended.
        if (isStreaming) {
          isStreaming = false;
          pollSoon();
        }
        const response = await fetchWithKey(address, init);
        if (response.ok && !isStopped()) {
          isStreaming = true;
          refresh();
        }
        return response;
      },
    });
    const follow = async (signal: AbortSignal) => {
      try {
        for await (const _ of follower.events({ signal, silence: SILENCE_MS })) refresh();
      } catch {
        // Polling continues without the stream.
      }
      if (isStopped() || signal.aborted) return;
      isStreaming = false;
      pollSoon();
      setTimeout(() => signal.aborted || follow(signal), REOPEN_MS);
    };

    /** Reconnects; a hidden page holds no connection. */
    const reconnect = () => {
      stream?.abort();
      isStreaming = false;
      if (document.hidden) return;
      stream = new AbortController();
      pollSoon();
      void follow(stream.signal);
    };

    pollNow.current = pollSoon;
    reconnect();
    document.addEventListener('visibilitychange', reconnect);
    window.addEventListener('online', reconnect);
    window.addEventListener('offline', reconnect);
    return () => {
      stream?.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', reconnect);
      window.removeEventListener('online', reconnect);
      window.removeEventListener('offline', reconnect);
    };
  }, [ended]);
}

/** Minimum time between refetches: they count towards the store's rate limit. */
const REFETCH_MS = 1_000;

/** Serializes refetches: changes that arrive during a refetch cause a single one after it. */
function refetcher(filters: InvalidateQueryFilters): () => Promise<void> {
  let isStale = false;
  let isRefetching = false;
  return async () => {
    isStale = true;
    if (isRefetching) return;
    isRefetching = true;
    while (isStale) {
      isStale = false;
      const pause = new Promise((resolve) => setTimeout(resolve, REFETCH_MS));
      await Promise.all([queryClient.invalidateQueries(filters), pause]);
    }
    isRefetching = false;
  };
}

const { queryKey } = storeQueries.summary();
/** Slow for a large store, so nothing else waits for it. */
const refetchSummary = refetcher({ queryKey });
const refetchRest = refetcher({
  queryKey: ['store'],
  predicate: (query) => query.queryHash !== hashKey(queryKey),
});

function refresh(): void {
  void refetchSummary();
  void refetchRest();
}
