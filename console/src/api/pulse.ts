import { useEffect } from 'react';
import { Problem } from './http.ts';
import { queryClient } from './queries.ts';
import { hasSessionEnded, useSessionEnded } from './session-end.ts';
import { read, type Snapshot } from './store.ts';

const BEAT_MS = 1_000;

/**
 * Asks every moment whether the store is still at the revision we know, with one conditional request
 * whatever the page shows, and has everything read again that was read at another revision.
 */
export function usePulse(): void {
  const ended = useSessionEnded();
  useEffect(() => {
    if (ended) return;
    let last: Snapshot<unknown> | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;

    const beat = async () => {
      clearTimeout(timer);
      let pause = BEAT_MS;
      const began = performance.now();
      try {
        last = await read('/store/orders?sort=-id&limit=1', last);
        refreshStale(last.revision);
        pause = Math.max(0, BEAT_MS - (performance.now() - began));
      } catch (error) {
        if (error instanceof Problem && error.retryAfter) pause = error.retryAfter * 1_000;
      }
      clearTimeout(timer);
      if (!stopped && !document.hidden && !hasSessionEnded()) timer = setTimeout(beat, pause);
    };
    const look = () => {
      if (!document.hidden) void beat();
    };

    void beat();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
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
    // A long read that is under way may end; the next beat sees whether it was already stale.
    { cancelRefetch: false },
  );
}
