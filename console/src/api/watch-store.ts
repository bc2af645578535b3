import { useEffect } from 'react';
import { Problem } from './http.ts';
import { queryClient } from './queries.ts';
import { sessionEnded } from './session-ended.ts';
import { read, type Snapshot } from './store.ts';

const POLL_MS = 1_000;

/**
 * Asks once a second whether the store is still at the revision we know, with one conditional request
 * whatever the page shows, and has everything read again that was read at another revision.
 */
export function useWatchStore(): void {
  const ended = sessionEnded.use();
  useEffect(() => {
    if (ended) return;
    let last: Snapshot<unknown> | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;

    const poll = async () => {
      clearTimeout(timer);
      let pause = POLL_MS;
      const began = performance.now();
      try {
        last = await read('/store/orders?sort=-id&limit=1', last);
        refreshStale(last.revision);
        pause = Math.max(0, POLL_MS - (performance.now() - began));
      } catch (error) {
        if (error instanceof Problem && error.retryAfter) pause = error.retryAfter * 1_000;
      }
      clearTimeout(timer);
      if (!stopped && !document.hidden && !sessionEnded.get()) timer = setTimeout(poll, pause);
    };
    const pollIfVisible = () => {
      if (!document.hidden) void poll();
    };

    void poll();
    document.addEventListener('visibilitychange', pollIfVisible);
    window.addEventListener('online', pollIfVisible);
    window.addEventListener('offline', pollIfVisible);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
      window.removeEventListener('online', pollIfVisible);
      window.removeEventListener('offline', pollIfVisible);
    };
  }, [ended]);
}

function refreshStale(revision: string | null): void {
  void queryClient.invalidateQueries(
    {
      queryKey: ['store'],
      predicate: ({ state }) => {
        if (state.error instanceof Problem && state.error.status < 500) return false;
        return (state.data as Snapshot<unknown> | undefined)?.revision !== revision;
      },
    },
    // A long read that is under way may end; the next poll sees whether it is stale.
    { cancelRefetch: false },
  );
}
