import { Readable } from 'node:stream';
import type { Caller } from '../http/server/request.ts';
import type { EventHub } from './event-hub.ts';

export interface StreamOptions {
  readonly hub: EventHub;
  readonly caller: Caller;
  /** The revision after which to begin; undefined to begin with what happens from now on. */
  readonly after: bigint | undefined;
  readonly heartbeat: number;
  readonly findCallerAgain: () => Promise<Caller | undefined>;
  /** Ends the stream as a whole answer: the reader may go on elsewhere. */
  readonly end: AbortController;
}

/** The events of one store as server-sent events, read from the log only as fast as the reader takes them. */
export function eventStream(options: StreamOptions): Readable {
  const pieces = piecesOf(options);
  return new Readable({
    read() {
      pieces.next().then(
        ({ value }) => this.push(value ?? null),
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      options.end.abort();
      void pieces.return();
      callback(error);
    },
  });
}

/**
 * A stream catches up, a batch of the log at a time, and then waits until its store has more. At each heartbeat, and when
 * its store is closed, it checks its key: it moves to another store if that is what the key opens now, or ends.
 */
async function* piecesOf(options: StreamOptions): AsyncGenerator<string, void> {
  const { hub, caller, after, heartbeat, findCallerAgain, end } = options;
  let { storeId } = caller;
  let position = after ?? caller.revision;
  let isKeyCheckDue = false;
  let woken = Promise.withResolvers<void>();
  const wake = (checkKey: boolean) => {
    isKeyCheckDue ||= checkKey;
    woken.resolve();
  };
  let unwatch = hub.watch(storeId, caller.revision, wake);
  const beats = setInterval(wake, heartbeat, true).unref();
  end.signal.addEventListener('abort', () => wake(false));
  try {
    // An id without data is no event, but what a client that has seen none yet resumes after.
    yield after === undefined ? `: open\nid: ${caller.revision}\n\n` : ': open\n\n';
    while (!end.signal.aborted) {
      // Made before anything is read, so that nothing that happens meanwhile is slept through.
      woken = Promise.withResolvers();
      if (isKeyCheckDue) {
        isKeyCheckDue = false;
        // If the key cannot be checked now, the stream stays where it is until the next check.
        const found = await findCallerAgain().catch(() => ({ ...caller, storeId }));
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
