import type { Readable } from 'node:stream';
import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { timeouts } from '../config/timeouts.ts';
import { MAX_SNAPSHOTS } from '../database/engine.ts';
import { ApiError } from '../http/errors.ts';

/** Each stream holds a snapshot; two are left for building cached lists. */
const MAX_STREAMS = MAX_SNAPSHOTS - 2;
const MAX_STREAMS_PER_TENANT = 4;
/** A stream that has lasted longer may be closed for a tenant that has none. */
const MIN_STREAM_MS = 60_000;

interface Stream {
  readonly tenantId: bigint;
  readonly rows: Readable;
  readonly since: number;
}

/** Limits streamed lists, which last as long as their readers take. If a tenant has to wait, closes a stream of the tenant with the most. */
export function listStreams() {
  const permits = keyedSemaphore(MAX_STREAMS_PER_TENANT, MAX_STREAMS);
  /** Oldest first. */
  const open = new Set<Stream>();
  /** Permits that closed streams are about to release, counted for the tenant that waits for them. */
  const promised = new Set<{ readonly tenantId: bigint }>();

  function countPermits(tenantId: bigint): number {
    const promisedCount = [...promised].filter((permit) => permit.tenantId === tenantId).length;
    return permits.usage(tenantId).taken + promisedCount;
  }

  function findStreamToClose(tenantId: bigint): Stream | undefined {
    const ownCount = countPermits(tenantId);
    const byTenant = [...Map.groupBy(open, (stream) => stream.tenantId).values()];
    const most = byTenant.toSorted((a, b) => b.length - a.length)[0] ?? [];
    // If the tenant had only one fewer, closing a stream would reverse the imbalance.
    if (most.length > ownCount + 1) return most[0];
    const [oldest] = open;
    const isOld = oldest !== undefined && performance.now() - oldest.since > MIN_STREAM_MS;
    return ownCount === 0 && isOld ? oldest : undefined;
  }

  return {
    async acquire(tenantId: bigint): Promise<Disposable> {
      const permit = { tenantId };
      const closeSlowStream = () => {
        const stream = findStreamToClose(tenantId);
        if (!stream) return;
        open.delete(stream);
        promised.add(permit);
        const message = 'The list was closed for another store, which was waiting to read one.';
        stream.rows.destroy(new ApiError('unavailable', message));
      };
      // By then, readers with a fast connection have finished.
      const timer = setTimeout(closeSlowStream, timeouts.acquireTimeoutMs / 2);
      try {
        return await permits.acquire(tenantId);
      } finally {
        clearTimeout(timer);
        promised.delete(permit);
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
