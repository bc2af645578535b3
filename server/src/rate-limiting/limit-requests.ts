import { ApiError } from '../http/errors.ts';
import type { Guard, Request } from '../http/server/request.ts';
import type { Writer } from '../writer/writer.ts';
import { countRequests } from './count-attempts.ts';

const MAX_PER_CHANGE = 500;

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
  /** Start of a window; all others follow or precede it. */
  readonly since?: number;
}

export const perMinute = (requests: number): RateLimit => ({ requests, windowMs: 60_000 });

interface Count {
  readonly endsAt: number;
  /** Requests of all replicas, as of the last exchange with the database. */
  known: number;
  unsynced: number;
}

interface Options {
  readonly writer: Writer;
  /** Pseudonymises a client before it is stored. */
  readonly seal: (who: string) => string;
  readonly now: () => number;
}

export type RequestCounts = ReturnType<typeof openRequestCounts>;

/** Counts requests by client and window, in memory; once a second, all replicas add up their counts in the database. */
export function openRequestCounts({ writer, seal, now }: Options) {
  const counts = new Map<string, Count>();

  async function run(): Promise<void> {
    const at = now();
    for (const [who, { endsAt }] of counts) if (endsAt <= at) counts.delete(who);
    const unsent = Array.from(counts)
      .filter(([, { unsynced }]) => unsynced > 0)
      .map(([who, count]) => ({
        bucket: seal(`requests ${who} ${count.endsAt}`),
        count,
        more: count.unsynced,
      }));
    for (let first = 0; first < unsent.length; first += MAX_PER_CHANGE) {
      const some = unsent.slice(first, first + MAX_PER_CHANGE);
      const added = some.map(({ bucket, count, more }) => ({
        bucket,
        count: BigInt(more),
        ends_at: BigInt(count.endsAt),
      }));
      const totals = await writer.apply(countRequests, { counts: added });
      for (const [index, { count, more }] of some.entries()) {
        count.unsynced -= more;
        count.known = Number(totals[index]);
      }
    }
  }

  return {
    name: 'counts of requests',
    restMs: 1_000,
    run,
    finish: run,
    take(who: string, { requests, windowMs, since = 0 }: RateLimit) {
      const at = now();
      const endsAt = since + (Math.floor((at - since) / windowMs) + 1) * windowMs;
      const found = counts.get(who);
      const count = found?.endsAt === endsAt ? found : { endsAt, known: 0, unsynced: 0 };
      counts.set(who, count);
      const isAllowed = count.known + count.unsynced < requests;
      if (isAllowed) count.unsynced++;
      return {
        isAllowed,
        left: Math.max(0, requests - count.known - count.unsynced),
        resetSeconds: Math.ceil((endsAt - at) / 1000),
      };
    },
  };
}

type Counted = { readonly who: string; readonly limit: RateLimit };

/** `countedAs` is undefined for requests that are not limited. */
export function limitRate(
  counts: RequestCounts,
  name: string,
  countedAs: (request: Request) => Counted | undefined,
): Guard {
  return (request) => {
    const counted = countedAs(request);
    if (!counted) return;
    const { requests, windowMs } = counted.limit;
    const { isAllowed, left, resetSeconds } = counts.take(counted.who, counted.limit);
    const policy = `"${name}";q=${requests};w=${windowMs / 1000}`;
    const state = `"${name}";r=${left};t=${resetSeconds}`;
    request.responseHeaders.push('ratelimit-policy', policy, 'ratelimit', state);
    if (!isAllowed) throw new ApiError('rate_limited', undefined, ['retry-after', String(resetSeconds)]);
  };
}

/** Counts all keys of a store together, also after a reset. */
export function tenantCountedAs(tenantId: bigint): string {
  return `tenant ${tenantId}`;
}
