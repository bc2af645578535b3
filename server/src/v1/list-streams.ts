import type { Readable } from 'node:stream';
import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { timeouts } from '../config/timeouts.ts';
import { MAX_SNAPSHOTS } from '../database/engine.ts';
import { ApiError } from '../http/errors.ts';

/** Each stream holds a snapshot; two are left for building cached lists. */
const MAX_STREAMS = MAX_SNAPSHOTS - 2;
const MAX_STREAMS_PER_TENANT = 4;
/** While a tenant without a stream waits, a stream lasts this long. */
const MIN_STREAM_MS = 60_000;

interface Stream {
  readonly tenantId: bigint;
  readonly rows: Readable;
  readonly since: number;
}

/** Streamed lists are as slow as their readers: those of the tenant with the most make way for a tenant that has fewer. */
export function listStreams() {
  const permits = keyedSemaphore(MAX_STREAMS_PER_TENANT, MAX_STREAMS);
  /** Oldest first. */
  const open = new Set<Stream>();
  /** Places that closed streams are about to leave: they count as those of the tenant that waits. */
  const promised = new Set<{ readonly tenantId: bigint }>();

  function placesOf(tenantId: bigint): number {
    const own = [...promised].filter((place) => place.tenantId === tenantId);
    return permits.count(tenantId).taken + own.length;
  }

  function findStreamToClose(tenantId: bigint): Stream | undefined {
    const own = placesOf(tenantId);
    const all = [...Map.groupBy(open, (stream) => stream.tenantId).values()];
    const most = all.toSorted((a, b) => b.length - a.length)[0] ?? [];
    if (most.length > own + 1) return most[0];
    const [oldest] = open;
    const isOld = oldest !== undefined && performance.now() - oldest.since > MIN_STREAM_MS;
    return own === 0 && isOld ? oldest : undefined;
  }

  return {
    async acquire(tenantId: bigint): Promise<Disposable> {
      const place = { tenantId };
      const makeWay = () => {
        const stream = findStreamToClose(tenantId);
        if (!stream) return;
        open.delete(stream);
        promised.add(place);
        const message = 'The list was read too slowly while other stores waited.';
        stream.rows.destroy(new ApiError('unavailable', message));
      };
      // A reader with a fast connection is done by then.
      const timer = setTimeout(makeWay, timeouts.acquireTimeoutMs / 2);
      try {
        return await permits.acquire(tenantId);
      } finally {
        clearTimeout(timer);
        promised.delete(place);
      }
    },

    add(tenantId: bigint, rows: Readable): void {
      const stream = { tenantId, rows, since: performance.now() };
      open.add(stream);
      // Until the response is sent, which a fault may delay, nothing else listens: the error would end the process.
      rows.on('error', () => {});
      rows.once('close', () => open.delete(stream));
    },
  };
}
