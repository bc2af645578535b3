import { hashKey, type InvalidateQueryFilters } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { createClient, PetStoreError } from '../../../client/src/index.ts';
import { clientOptions, fetchWithKey } from './client.ts';
import { unreachableSince } from './connection.ts';
import { queryClient, storeQueries } from './queries.ts';
import { sessionEnded } from './session-ended.ts';

const POLL_MS = 1_000;
/** How long after a stream was given up another one is tried. */
const STREAM_MS = 5_000;
/** The service says something at least every 15 seconds: a stream that is silent for longer is lost. */
const SILENCE_MS = 25_000;

/**
 * Follows the store's stream of events, and has everything on the page read again when something happened: what is
 * still true costs a 304. Where the stream is cut, it asks once a second instead, whatever the page shows.
 */
export function useWatchStore(): void {
  const ended = sessionEnded.use();
  const isLost = unreachableSince.use() !== undefined;
  const askSoon = useRef(() => {});
  // One answer that did not come says little: it is asked until one comes, also while the stream is open.
  useEffect(() => {
    if (isLost) askSoon.current();
  }, [isLost]);
  useEffect(() => {
    if (ended) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream: AbortController | undefined;
    /** Whether changes are told of, so that nobody has to ask. */
    let isTold = false;
    /** What the store was marked with when it was last asked. */
    let mark: string | null | undefined;
    const isOver = () => stream?.signal.aborted !== false || document.hidden || sessionEnded.get();

    const asking = createClient({
      ...clientOptions,
      retries: 0,
      fetch: async (address, init) => {
        const response = await fetchWithKey(address, init);
        const seen = response.headers.get('etag');
        if (response.ok && seen !== mark) {
          mark = seen;
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
      if (isOver() || (isTold && unreachableSince.get() === undefined)) return;
      let pause = POLL_MS;
      try {
        await asking.orders.list({ sort: '-id', limit: 1 });
      } catch (error) {
        if (error instanceof PetStoreError && error.retryAfter) pause = error.retryAfter * 1_000;
      }
      pollSoon(pause);
    };

    const following = createClient({
      ...clientOptions,
      fetch: async (address, init) => {
        if (isTold) {
          isTold = false;
          pollSoon();
        }
        const response = await fetchWithKey(address, init);
        if (response.ok && !isOver()) {
          isTold = true;
          refresh();
        }
        return response;
      },
    });
    const follow = async (signal: AbortSignal) => {
      try {
        for await (const _ of following.events({ signal, silence: SILENCE_MS })) refresh();
      } catch {
        // Asking goes on as if there were no stream.
      }
      if (isOver() || signal.aborted) return;
      isTold = false;
      pollSoon();
      setTimeout(() => signal.aborted || follow(signal), STREAM_MS);
    };

    /** A page that nobody sees holds no connection. */
    const lookAgain = () => {
      stream?.abort();
      isTold = false;
      if (document.hidden) return;
      stream = new AbortController();
      pollSoon();
      void follow(stream.signal);
    };

    askSoon.current = pollSoon;
    lookAgain();
    document.addEventListener('visibilitychange', lookAgain);
    window.addEventListener('online', lookAgain);
    window.addEventListener('offline', lookAgain);
    return () => {
      stream?.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookAgain);
      window.removeEventListener('online', lookAgain);
      window.removeEventListener('offline', lookAgain);
    };
  }, [ended]);
}

/** Readings count for the limit of the store: between two there is at least so long. */
const READING_MS = 1_000;

/** One reading after the other, however quickly changes come; each begins after the change that it is for. */
function reader(filters: InvalidateQueryFilters): () => Promise<void> {
  let isStale = false;
  let isReading = false;
  return async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      const pause = new Promise((over) => setTimeout(over, READING_MS));
      await Promise.all([queryClient.invalidateQueries(filters), pause]);
    }
    isReading = false;
  };
}

const { queryKey } = storeQueries.summary();
/** Of a large store it takes its time: nothing else waits for it. */
const readSummary = reader({ queryKey });
const readRest = reader({ queryKey: ['store'], predicate: (query) => query.queryHash !== hashKey(queryKey) });

function refresh(): void {
  void readSummary();
  void readRest();
}
