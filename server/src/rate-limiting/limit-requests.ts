import { ApiError } from '../http/errors.ts';
import type { Guard, Request } from '../http/server/request.ts';
import type { Writer } from '../writer/writer.ts';
import { countRequests } from './count-attempts.ts';

const BATCH_SIZE = 500;

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
  /** Start of any one window, from which the others are computed. */
  readonly since?: number;
}

export const perMinute = (requests: number): RateLimit => ({ requests, windowMs: 60_000 });

interface Count {
  readonly endsAt: number;
  /** Requests on all replicas, as of the last sync with the database. */
  synced: number;
  unsynced: number;
}

interface Options {
  readonly writer: Writer;
  /** Hashes a subject before it is stored. */
  readonly pseudonymize: (subject: string) => string;
  readonly now: () => number;
}

export type RequestCounts = ReturnType<typeof createRequestCounts>;

/** Counts requests per subject and window in memory; every second, replicas sync their counts through the database. */
export function createRequestCounts({ writer, pseudonymize, now }: Options) {
  const counts = new Map<string, Count>();

  async function run(): Promise<void> {
    const at = now();
    for (const [subject, { endsAt }] of counts) if (endsAt <= at) counts.delete(subject);
    const changed = Array.from(counts)
      .filter(([, { unsynced }]) => unsynced > 0)
      .map(([subject, count]) => ({
        bucket: pseudonymize(`requests ${subject} ${count.endsAt}`),
        count,
        added: count.unsynced,
      }));
    for (let first = 0; first < changed.length; first += BATCH_SIZE) {
      const batch = changed.slice(first, first + BATCH_SIZE);
      const rows = batch.map(({ bucket, count, added }) => ({
        bucket,
        count: BigInt(added),
        ends_at: BigInt(count.endsAt),
      }));
      const totals = await writer.apply(countRequests, { counts: rows });
      for (const [index, { count, added }] of batch.entries()) {
        count.unsynced -= added;
        count.synced = Number(totals[index]);
      }
    }
  }

  return {
    name: 'counts of requests',
    intervalMs: 1_000,
    run,
    finish: run,
    take(subject: string, { requests, windowMs, since = 0 }: RateLimit) {
      const at = now();
      const endsAt = since + (Math.floor((at - since) / windowMs) + 1) * windowMs;
      const found = counts.get(subject);
      const count = found?.endsAt === endsAt ? found : { endsAt, synced: 0, unsynced: 0 };
      counts.set(subject, count);
      const isAllowed = count.synced + count.unsynced < requests;
      if (isAllowed) count.unsynced++;
      return {
        isAllowed,
        remaining: Math.max(0, requests - count.synced - count.unsynced),
        resetSeconds: Math.ceil((endsAt - at) / 1000),
      };
    },
  };
}

type Counted = { readonly subject: string; readonly limit: RateLimit };

/** `countedAs` returns undefined for requests that are not limited. */
export function limitRate(
  counts: RequestCounts,
  name: string,
  countedAs: (request: Request) => Counted | undefined,
): Guard {
  return (request) => {
    const counted = countedAs(request);
    if (!counted) return;
    const { requests, windowMs } = counted.limit;
    const { isAllowed, remaining, resetSeconds } = counts.take(counted.subject, counted.limit);
    const policy = `"${name}";q=${requests};w=${windowMs / 1000}`;
    const state = `"${name}";r=${remaining};t=${resetSeconds}`;
    request.responseHeaders.push('ratelimit-policy', policy, 'ratelimit', state);
    if (!isAllowed) throw new ApiError('rate_limited', undefined, ['retry-after', String(resetSeconds)]);
  };
}

/** All keys of a store count together, also after a reset. */
export function tenantSubject(tenantId: bigint): string {
  return `tenant ${tenantId}`;
}
