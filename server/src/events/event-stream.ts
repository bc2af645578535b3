import { Readable } from 'node:stream';
import type { Services } from '../http/operations/operation.ts';
import type { Caller } from '../http/server/request.ts';
import { callerById } from '../keys/find-caller.ts';
import type { EventHub } from './event-hub.ts';

export const defaultStreamLimits = { heartbeat: 10_000, maxPerTenant: 100, poll: 1_000 };
export type StreamLimits = typeof defaultStreamLimits;

export type StreamServices = Services & { readonly hub: EventHub; readonly streams: StreamLimits };

/**
 * The events of one store as server-sent events, read from the log only as fast as the reader takes them: those after a
 * revision, or what happens from now on. `end` makes it a whole answer: the reader may go on elsewhere.
 */
export function eventStream(
  services: StreamServices,
  caller: Caller,
  after: bigint | undefined,
  end: AbortController,
): Readable {
  const pieces = chunksOf(services, caller, after, end.signal);
  return new Readable({
    // Nothing is read ahead for a slow client.
    highWaterMark: 0,
    read() {
      pieces.next().then(
        ({ value }) => this.push(value ?? null),
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      end.abort();
      void pieces.return();
      callback(error);
    },
  });
}

/**
 * A stream catches up, a batch of the log at a time, and then waits until its store has more. At each heartbeat, and when
 * its store is closed, it checks its key: it moves to another store if that is what the key opens now, or ends.
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
  const beats = setInterval(wake, streams.heartbeat, true).unref();
  end.addEventListener('abort', () => wake(false));
  try {
    // An id without data is no event, but what a client that has seen none yet resumes after.
    yield after === undefined ? `: open\nid: ${caller.revision}\n\n` : ': open\n\n';
    while (!end.aborted) {
      // Made before anything is read, so that nothing that happens meanwhile is slept through.
      woken = Promise.withResolvers();
      if (isKeyCheckDue) {
        isKeyCheckDue = false;
        // If the key cannot be checked now, the stream stays where it is until the next check.
        const checked = db.all(callerById, { is: keyId, now: BigInt(clock()) });
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
    clearInterval(beats);
    unwatch();
  }
}
