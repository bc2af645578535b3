import { useEffect } from 'react';
import { Problem } from './http.ts';
import { queryClient } from './queries.ts';
import { sessionEnded } from './session-ended.ts';
import { read, type Snapshot } from './store.ts';
import { followStore } from './store-events.ts';

const POLL_MS = 1_000;
/** How long after a stream was cut another one is tried. */
const STREAM_MS = 5_000;

/**
 * Follows the store's stream of events, and has everything read again that was read at another revision. Where the
 * stream is cut, it asks once a second instead, with one conditional request whatever the page shows.
 */
export function useWatchStore(): void {
  const ended = sessionEnded.use();
  useEffect(() => {
    if (ended) return;
    let last: Snapshot<unknown> | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let streamTimer: ReturnType<typeof setTimeout> | undefined;
    let stream: AbortController | undefined;
    /** Whether changes are told of, so that nobody has to ask. */
    let isTold = false;
    let stopped = false;

    const isOver = () => stopped || document.hidden || sessionEnded.get();
    const poll = async () => {
      clearTimeout(timer);
      let pause = POLL_MS;
      const began = performance.now();
      let isKnown = false;
      try {
        last = await read('/store/orders?sort=-id&limit=1', last);
        refreshStale(last.revision);
        pause = Math.max(0, POLL_MS - (performance.now() - began));
        isKnown = true;
      } catch (error) {
        if (error instanceof Problem && error.retryAfter) pause = error.retryAfter * 1_000;
      }
      clearTimeout(timer);
      if (!isOver() && !(isTold && isKnown)) timer = setTimeout(poll, pause);
    };
    const follow = async () => {
      clearTimeout(streamTimer);
      stream?.abort();
      const mine = new AbortController();
      stream = mine;
      try {
        await followStore(() => {
          isTold = true;
          void poll();
        }, mine.signal);
      } catch {
        // Asking goes on as if there were no stream.
      }
      if (stream !== mine) return;
      isTold = false;
      if (isOver()) return;
      void poll();
      streamTimer = setTimeout(follow, STREAM_MS);
    };
    /** A page that nobody sees holds no connection. */
    const lookAgain = () => {
      if (document.hidden) return void stream?.abort();
      void poll();
      void follow();
    };

    lookAgain();
    document.addEventListener('visibilitychange', lookAgain);
    window.addEventListener('online', lookAgain);
    window.addEventListener('offline', lookAgain);
    return () => {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(streamTimer);
      stream?.abort();
      document.removeEventListener('visibilitychange', lookAgain);
      window.removeEventListener('online', lookAgain);
      window.removeEventListener('offline', lookAgain);
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
    // A long read that is under way may end; the next look sees whether it is stale.
    { cancelRefetch: false },
  );
}
