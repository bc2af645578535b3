import { Readable } from 'node:stream';
import type { Services } from '../http/operations/operation.ts';
import type { Caller } from '../http/server/request.ts';
import { callerById } from '../keys/find-caller.ts';
import type { EventHub } from './event-hub.ts';

export const defaultStreamLimits = { heartbeatMs: 10_000, maxPerTenant: 100, pollMs: 1_000 };
export type StreamLimits = typeof defaultStreamLimits;

export type StreamServices = Services & { readonly hub: EventHub; readonly streams: StreamLimits };

/**
 * The events of a store as server-sent events, after a revision or from now on. Reads the log only as fast as the client
 * reads. Aborting `end` completes the response, so that the client can reconnect elsewhere.
 */
export function eventStream(
  services: StreamServices,
  caller: Caller,
  after: bigint | undefined,
  end: AbortController,
): Readable {
  const chunks = chunksOf(services, caller, after, end.signal);
  return new Readable({
    // Nothing is read ahead for a slow client.
    highWaterMark: 0,
    read() {
      chunks.next().then(
        ({ value }) => this.push(value ?? null),
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      end.abort();
      void chunks.return();
      callback(error);
    },
  });
}

/**
 * Backfill: reads the log in batches. Live: waits until the store has new events. At each heartbeat, and when the store is
 * closed, checks the key: the stream moves to the store that the key opens now, or ends.
 */
async function* chunksOf(
  { db, clock, hub, streams }: StreamServices,
  caller: Caller,
  after: bigint | undefined,
  end: AbortSignal,
): AsyncGenerator<string, void> {
  const { keyId } = caller;
  let { storeId } = caller;
  let position = after ?? caller.revision;
  let isKeyCheckDue = false;
  let woken = Promise.withResolvers<void>();
  const wake = (checkKey: boolean) => {
    isKeyCheckDue ||= checkKey;
    woken.resolve();
  };
  let unwatch = hub.watch(storeId, caller.revision, wake);
  const heartbeats = setInterval(wake, streams.heartbeatMs, true).unref();
  end.addEventListener('abort', () => wake(false));
  try {
    // An id without data is not an event, but sets the Last-Event-ID of a client that has received none.
    yield after === undefined ? `: open\nid: ${caller.revision}\n\n` : ': open\n\n';
    while (!end.aborted) {
      // Created before reading, so that no change during the read is missed.
      woken = Promise.withResolvers();
      if (isKeyCheckDue) {
        isKeyCheckDue = false;
        // If the key cannot be checked now, the stream continues until the next check.
        const checked = db.all(callerById, { value: keyId, now: BigInt(clock()) });
        const [found] = await checked.catch(() => [{ ...caller, storeId }]);
        if (!found) return;
        if (found.storeId !== storeId) {
          unwatch();
          storeId = found.storeId;
          unwatch = hub.watch(storeId, found.revision, wake);
        }
        yield ':\n\n';
      }
      const { text, upTo, isLast } = await hub.read(storeId, position);
      position = upTo;
      if (text !== '') yield text;
      if (isLast) await woken.promise;
    }
  } finally {
    clearInterval(heartbeats);
    unwatch();
  }
}
